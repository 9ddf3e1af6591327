import { numberedSpans } from "../../../../edits/numbered.ts";
import { stripTerminator } from "../../../../edits/text-file.ts";
import type { IssueSnapshot } from "../../../../model/discussion.ts";
import type { FaultLine } from "../../../../model/plan.ts";
import type { SourceParser } from "../../../../ports/source-parser.ts";
import { functionAround, parseFile } from "./parsed-file.ts";
import type { RepositoryView } from "./repository-view.ts";

/** Characters of an issue that are read, and of its example that are shown. */
const MAX_BODY = 20_000;

const MAX_EXAMPLE = 800;

/** The first code block of the issue, verbatim; "" for none. */
export function exampleOf({ body }: Pick<IssueSnapshot, "body">): string {
  const lines = body.slice(0, MAX_BODY).split("\n");
  const first = lines.findIndex((line) => FENCE.test(line));
  const mark = FENCE.exec(lines[first] ?? "")?.[1];
  if (mark === undefined) return "";
  const inner = lines.slice(first + 1);
  const last = inner.findIndex((line) => line.trim().startsWith(mark));
  return inner
    .slice(0, last < 0 ? undefined : last)
    .join("\n")
    .slice(0, MAX_EXAMPLE)
    .trimEnd();
}

const FENCE = /^ {0,3}(```|~~~)/;

/** Code spans, quoted texts and options: a program takes them verbatim. */
const LITERALS = [
  /`([^`\n]{3,60})`/g,
  /(?<!<<[-~]?)"([^"\n]{3,60})"/g,
  /(?<!\w|<<[-~]?)'([^'\n]{3,60})'(?!\w)/g,
  /(?:^|\s)(--?[a-z][\w-]{2,40})/gm,
];

const MAX_LITERALS = 200;

const MAX_ABSENT = 6;

const WORD = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]{2,59}/gu;

/** `update:modelValue` and `update:model-value` are easily taken for the same. */
const plainOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** A literal of the issue that the change lacks, and how the change spells it instead ("" if it does not). */
export interface AbsentLiteral {
  readonly literal: string;
  readonly variant: string;
}

/**
 * Finds literals of the issue that neither change nor tests have: first those that they spell otherwise, then those of
 * the issue's example. `written`: the changed places of all files.
 */
export function absentLiterals(
  { title, body }: Pick<IssueSnapshot, "title" | "body">,
  written: string,
): readonly AbsentLiteral[] {
  const text = `${title}\n${body}`.slice(0, MAX_BODY);
  const example = exampleOf({ body });
  const found = LITERALS.flatMap((form) => [...text.matchAll(form)].map(([, literal = ""]) => literal.trim()));
  const literals = [...new Set(found)]
    .filter((one) => plainOf(one).length > 2 && !isBetween(one))
    .slice(0, MAX_LITERALS);
  const variants = new Map((written.match(WORD) ?? []).map((word) => [plainOf(word), word] as const));
  const absent = literals
    .filter((literal) => !written.includes(literal))
    .map((literal) => ({ literal, variant: variantOf(literal, variants) }));
  const otherwise = absent.filter(({ variant }) => variant !== "");
  const inExample = absent.filter(({ literal, variant }) => variant === "" && example.includes(literal));
  return [...otherwise, ...inExample].slice(0, MAX_ABSENT);
}

/** What stands between two texts, not in one: `, f(`, `]] + [`, `. $name .` */
const isBetween = (literal: string): boolean => /^[,.)\]};+&|]|[([{,.+&|]$/.test(literal) && /[\s()[\]$]/.test(literal);

/** The word of the change that differs from the literal by case, hyphens or underscores only. */
function variantOf(literal: string, variants: ReadonlyMap<string, string>): string {
  for (const word of literal.match(WORD) ?? []) {
    const variant = variants.get(plainOf(word));
    // Any word may be capitalised at the beginning of a sentence.
    if (variant !== undefined && variant.slice(1) !== word.slice(1)) return variant;
  }
  return "";
}

/** Lines shown around the line at fault. */
const AROUND = 12;

const MAX_LINE = 200;

/** Shows the line at fault that the Manager names, before the change, in its function; "" if `shown` has it. */
export async function viewFault(
  at: FaultLine | undefined,
  { repositoryView, parser, shown }: { repositoryView: RepositoryView; parser: SourceParser; shown: string },
): Promise<string> {
  if (!at) return "";
  const { lines, symbols } = await parseFile(at.path, await repositoryView.read(at.path), parser);
  const line = stripTerminator(lines[at.line - 1] ?? "").trim();
  if (line === "" || shown.includes(line)) return "";
  const inner = functionAround(symbols, { start: at.line, end: at.line });
  const [first, last] = [inner?.start ?? 1, inner?.end ?? lines.length];
  const spans = [
    { start: first, end: first },
    { start: Math.max(first, at.line - AROUND), end: Math.min(last, at.line + AROUND) },
  ];
  const content = numberedSpans(
    lines.map((one) => stripTerminator(one).slice(0, MAX_LINE)),
    spans,
  );
  return `${at.path}, line ${at.line}:\n${content}`;
}
