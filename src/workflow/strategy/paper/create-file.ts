import path from "node:path";
import { readText } from "../../../edits/read-text.ts";
import { stripFence } from "../../../edits/strip-fence.ts";
import type { Repository } from "../../../ports/repository.ts";
import { checkChange } from "../../change/check-change.ts";
import type { AttemptInput, AttemptResult } from "./attempt.ts";

/** Files shown to the Developer of a new file, for its style. */
const MAX_NEIGHBOURS = 2;
const MAX_CHARACTERS = 8_000;

/** P10 for a file that does not exist yet: its whole content. There is nothing to locate (no P9). */
export async function createFile({
  issue,
  task,
  team,
  repository,
  developer,
  parser,
  previous,
}: AttemptInput): Promise<AttemptResult> {
  const answer = await developer.writeNewFile({ issue, task, team, previous }, await neighbours(task.path, repository));
  const fenced = /\.(md|mdx|markdown)$/i.test(task.path) ? undefined : stripFence(answer);
  const text = (fenced?.content ?? answer).replace(/\r\n?/g, "\n").replace(/\n*$/, "\n");
  const rejected = await checkChange({ parser, path: task.path, before: undefined, after: text });
  return rejected ? { rejected } : { after: new TextEncoder().encode(text), summary: task.title, replies: new Map() };
}

async function neighbours(file: string, { entries, readBlob }: AttemptInput["repository"]) {
  const beside = [...entries.values()]
    .filter(
      (entry) =>
        path.posix.dirname(entry.path) === path.posix.dirname(file) && path.extname(entry.path) === path.extname(file),
    )
    .filter(({ mode, size }) => mode.startsWith("100") && size !== undefined && size > 0)
    .slice(0, MAX_NEIGHBOURS);
  return Promise.all(
    beside.map(async (entry) => ({ path: entry.path, content: await beginning(entry.blob, readBlob) })),
  );
}

async function beginning(blob: string, readBlob: Repository["readBlob"]): Promise<string> {
  const text = readText(await readBlob(blob))?.lines.join("") ?? "";
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n[the rest is not shown]` : text;
}
