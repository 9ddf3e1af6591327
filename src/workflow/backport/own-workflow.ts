import { readText } from "../../edits/text-file.ts";
import { either } from "../../search/patterns.ts";
import type { Side } from "../change/sides.ts";

/** Files of tools that make backports. */
const CONFIGURED = /^(?:\.backportrc\.(?:json|[cm]?js)|\.github\/backport\.ya?ml)$/i;

const MERGIFY = /^(?:\.mergify\.yml|\.mergify\/config\.yml|\.github\/mergify\.yml)$/i;

const WORKFLOWS = /^\.github\/workflows\/[^/]+\.ya?ml$/i;

/** Actions that make backports, as workflows name them. */
const ACTIONS = either(
  "i",
  /uses:\s*["']?(?:korthout|tibdex|zeebe-io|m-kuhn|vendoo|sqren|sorenlouv|kiegroup)\/[\w-]*backport/,
  /uses:\s*["']?[\w.-]+\/[\w.-]*(?:backport|cherry-?pick)[\w.-]*[@/]/,
);

const MAX_FILES = 60;

const MAX_BYTES = 200_000;

/** The file of a repository's own backport workflow or bot; undefined when there is none. */
export async function ownWorkflow({ entries, readBlob }: Side): Promise<string | undefined> {
  const paths = [...entries.keys()];
  const configured = paths.find((path) => CONFIGURED.test(path));
  if (configured !== undefined) return configured;
  for (const path of paths.filter((one) => MERGIFY.test(one) || WORKFLOWS.test(one)).slice(0, MAX_FILES)) {
    const content = await readBlob(entries.get(path)?.blob ?? "");
    const text = (content && readText(content.subarray(0, MAX_BYTES))?.lines.join("")) ?? "";
    if (MERGIFY.test(path) ? /^\s*backport:/m.test(text) : ACTIONS.test(text)) return path;
  }
  return undefined;
}
