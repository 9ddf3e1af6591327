import { focusedExcerpt } from "../../../../edits/focused-excerpt.ts";
import { IMPORT, readText } from "../../../../edits/text-file.ts";
import type { Place } from "../../../../model/plan.ts";
import type { SourceParser } from "../../../../ports/source-parser.ts";
import { lineScoresInTurns } from "../../../../search/terms.ts";
import { whyNotText } from "../../../../text/not-text.ts";
import { parseFile } from "./parsed-file.ts";

/** What decides which parts of a long file are shown. */
interface ViewInput {
  readonly parser: SourceParser;
  /** weights of terms, as `issueTerms` gives them */
  readonly terms: ReadonlyMap<string, number>;
  /** identifiers that the issue writes as code */
  readonly exact?: ReadonlySet<string>;
  /** shown first, in their order */
  readonly wanted?: readonly Pick<Place, "start" | "end">[];
  /** nothing but `wanted` is shown */
  readonly onlyWanted?: boolean;
  /** characters */
  readonly budget: number;
}

/** A file for a prompt: numbered lines, only some of a long file. `size`: how many lines it has. */
interface ViewOfFile {
  readonly content: string;
  readonly size: number;
  readonly whole: boolean;
}

/** What is shown of a file without a byte. */
export const EMPTY_FILE = "(the file is empty)";

/** Shows a file within a budget, or says why there are no lines. */
export async function viewFile(path: string, bytes: Uint8Array | undefined, input: ViewInput): Promise<ViewOfFile> {
  if (bytes === undefined) return { content: "(the file does not exist yet)", size: 0, whole: true };
  const file = readText(bytes);
  if (!file) return { content: `(a binary file: ${whyNotText(bytes)})`, size: 0, whole: true };
  const { lines } = file;
  if (lines.length === 0) return { content: EMPTY_FILE, size: 0, whole: true };
  const { parser, terms, exact, wanted = [], onlyWanted = false, budget } = input;
  const long = !onlyWanted && lines.reduce((sum, line) => sum + line.length + 8, 0) > budget;
  const declarations = long ? (await parseFile(path, bytes, parser)).symbols : undefined;
  const scores = long ? await lineScoresInTurns(lines, terms, exact) : [];
  const { text, whole } = focusedExcerpt(lines, { wanted, scores, onlyWanted, budget, declarations });
  return { content: text, size: lines.length, whole };
}

/** Characters of the nearest lines for everybody after the Custodian, whatever the rank of the file. */
const HITS = 400;

const MAX_MATCH_LENGTH = 140;

/** The numbers of the lines nearest to the issue, best first, up to `most` characters. */
export function hitsOf(lines: readonly string[], scores: readonly number[], most = HITS): readonly number[] {
  const best = scores
    .flatMap((score, at) => (score > 0 ? [{ score, at }] : []))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const chosen: number[] = [];
  let left = most;
  for (const { at } of best) {
    const text = shortLine(lines[at]);
    if (text.length > left) break;
    if (IMPORT.test(lines[at] ?? "")) continue;
    left -= text.length + 8;
    chosen.push(at + 1);
  }
  return chosen;
}

export function shortLine(line = ""): string {
  const text = line.trim();
  return text.length > MAX_MATCH_LENGTH ? `${text.slice(0, MAX_MATCH_LENGTH)}…` : text;
}
