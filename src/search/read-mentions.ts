import { extractFrames, type Frame } from "./extract-frames.ts";
import type { IssueText } from "./ranking-types.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** What an issue names of the code, as it writes it. */
export interface Mentions {
  readonly frames: readonly Frame[];
  /** path-like words, longest useful form, with forward slashes */
  readonly paths: readonly string[];
  /** dotted or `::` names, in parts */
  readonly modules: readonly (readonly string[])[];
  /** identifiers in backticks, or that look like code */
  readonly symbols: readonly string[];
}

const MAX_TEXT_LENGTH = 100_000;
const MAX = 80;
const PATH = /(?:[\w@.+-]{1,80}[/\\]){0,20}[\w@+-][\w@.+-]{0,80}\.[A-Za-z]\w{0,7}\b/g;
const FOLDER_PATH = /[\w@.+-]{2,80}(?:\/[\w@.+-]{2,80}){1,20}/g;
const MODULE = /[A-Za-z_]\w{0,80}(?:(?:\.|::)[A-Za-z_]\w{0,80}){1,12}/g;
const BACKTICKED = /`([^`\n]{2,120})`/g;
const NAME = /[A-Za-z_$][\w$]{2,80}/g;
const CODE_LOOK = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^__\w+__$|^[A-Z][a-z]+[A-Z]/;
const CALLED = /\b([A-Za-z_$][\w$]{2,80})\(/g;

/** Reads what the issue names: stack-trace frames, paths, module names, symbols. Never throws, whatever the text. */
export function readMentions(issue: IssueText): Mentions {
  const text = [issue.title, issue.body, ...(issue.hints ?? [])].join("\n").slice(0, MAX_TEXT_LENGTH);
  const frames = extractFrames(text);
  const symbols = new Set<string>();
  for (const [, quoted = ""] of text.matchAll(BACKTICKED))
    for (const [name] of quoted.matchAll(NAME)) symbols.add(name);
  for (const [name] of text.matchAll(NAME)) if (CODE_LOOK.test(name)) symbols.add(name);
  for (const [, name = ""] of text.matchAll(CALLED)) symbols.add(name);
  for (const { symbol } of frames) if (symbol !== undefined && symbol.length > 2) symbols.add(symbol);
  return {
    frames,
    paths: unique([...text.matchAll(PATH), ...text.matchAll(FOLDER_PATH)].map(([path]) => path.replaceAll("\\", "/"))),
    modules: unique([...text.matchAll(MODULE)].map(([name]) => name)).map((name) => name.split(/\.|::/)),
    symbols: [...symbols].filter((name) => !STOP_WORDS.has(name.toLowerCase())).slice(0, MAX),
  };
}

function unique(words: string[]): string[] {
  return [...new Set(words)].slice(0, MAX);
}
