import { createPacer } from "../../../text/next-turn.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";

/**
 * A name as a model writes it, taken apart: `Class.method`, `mod::name`, `Class#method()`, `$name`, `Class.#private`,
 * `(*Type).Method`, `List<T>.add`.
 */
export interface SplitName {
  /** the last part, without marks such as `$` */
  name: string;
  /** the part before it */
  owner?: string;
}

/** Characters of a name that is looked for. */
export const MAX_LENGTH = 200;

/** The receiver of a method of Go: `(*Type).Method`, `(t *Type) Method`. */
const RECEIVER = /(^|\.)\((?:\w{1,40} )?[*&]?([\w.]{1,80})(?:\[[^()]{0,80})?\)[. ]{0,2}(?=\w)/;

/** The parameters of a type: `<T>`, `[K, V]`; not the name of an operator, such as `[]`. */
const PARAMETERS = /(?<=[\w:])(?:<[^<>=]+>|\[[^[\]]+\])/g;

/** Takes a name apart; undefined if it cannot be one. */
export function splitName(written: string): SplitName | undefined {
  const parts = withoutParameters(written.trim().slice(0, MAX_LENGTH).replace(RECEIVER, "$1$2."))
    .replace(/\(.*/s, "")
    .split(/\.|::|->|(?<=\w)#|\\|\//)
    .map((part) => part.trim().replace(/^[$@:]+/, ""))
    .filter((part) => part !== "" && part !== "prototype");
  const [owner, name] = [parts.at(-2), parts.at(-1)];
  if (name === undefined || /[\s"'`;,]/.test(name)) return undefined;
  return owner === undefined ? { name } : { name, owner };
}

function withoutParameters(name: string): string {
  const left = name.replace(PARAMETERS, "");
  return left === name ? name : withoutParameters(left);
}

/** Matches a name as a whole word; the name itself is no pattern. */
export function wordPattern(name: string, flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(name)}(?![\\p{L}\\p{N}_])`, `${flags}u`);
}

const escapePattern = (name: string) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A file with a word in it. */
export interface Holder {
  path: string;
  text: string;
}

/**
 * Finds the files with `name` as a word, in path order; in any case with `ignoreCase`. The word may be in a comment:
 * only a parser can tell.
 */
export async function findHolders(
  { files }: { files: SnapshotFiles },
  paths: readonly string[],
  name: string,
  ignoreCase = false,
): Promise<Holder[]> {
  const pause = createPacer();
  const word = wordPattern(name, ignoreCase ? "i" : "");
  const holders: Holder[] = [];
  for (const path of paths) {
    const bytes = await files.searchable(path);
    if (bytes === undefined) continue;
    await pause(bytes.length);
    if (!ignoreCase && !bytes.includes(name)) continue;
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    if (word.test(text)) holders.push({ path, text });
  }
  return holders;
}

/** A file counts for at most this: the symbols of a large one are cached, and it is likely meant. */
const MAX_WORK = 1_000_000;

/** The bytes that parsing a file counts for, see `WorkLimits.parsedBytes`. */
export const parsingWork = (text: string): number => Math.min(text.length, MAX_WORK);
