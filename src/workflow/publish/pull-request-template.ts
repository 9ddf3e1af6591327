import { readText } from "../../edits/read-text.ts";
import type { Repository } from "../../ports/repository.ts";

/** Where GitHub looks for it, in its order. */
const PLACES = /^(?:\.github\/|docs\/|)pull_request_template(?:\.md|\.txt)?$/i;
const MAX_CHARACTERS = 10_000;

/** The repository's pull request template, or "". A folder of several templates leaves the choice to a person: "". */
export async function pullRequestTemplate({
  entries,
  readBlob,
}: Pick<Repository, "entries" | "readBlob">): Promise<string> {
  const found = [...entries.values()].find(({ path, mode }) => PLACES.test(path) && mode.startsWith("100"));
  const text = found && readText(await readBlob(found.blob))?.lines.join("");
  return text !== undefined && text.length <= MAX_CHARACTERS ? text.trim() : "";
}
