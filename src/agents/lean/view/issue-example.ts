import { numberedSpans } from "../../../code/edits/numbered.ts";
import { stripTerminator } from "../../../code/edits/text-file.ts";
import type { SourceParser } from "../../../code/source-parser.ts";
import type { IssueSnapshot, Standing } from "../../../data/discussion.ts";
import type { FaultLine } from "../../../data/plan.ts";
import { codeWords } from "../../../search/terms.ts";
import { listed } from "../../../text/patterns.ts";
import { functionAround, parseFile } from "./parsed-file.ts";
import type { RepositoryView } from "./repository-view.ts";

/** Characters of an issue that are read, and of its example that are shown. */
const MAX_BODY = 20_000;

const MAX_EXAMPLE = 800;

type Told = Pick<IssueSnapshot, "title" | "body" | "standing" | "discussion">;

/** A code block and whose words it is: `standing` as in the discussion. */
export interface IssueExample {
  /** verbatim; "" for none */
  text: string;
  standing?: Standing;
}

/**
 * The code block of the issue or its comments that looks most like its example. Code with the
 * names that the issue talks about wins over logs, versions and output; of equals the first one does.
 */
export function exampleOf({ title, body, standing, discussion }: Told): IssueExample {
  const said = [{ body, standing }, ...discussion.slice(0, MAX_COMMENTS)];
  const parts = said.map((one) => ({ ...splitBlocks(one.body.slice(0, MAX_BODY)), standing: one.standing }));
  const prose = [title, ...parts.map((part) => part.prose)].join("\n");
  const named = [...new Set([...codeWords(prose), ...(title.match(WORD) ?? [])])].slice(0, MAX_LITERALS);
  const found = parts.flatMap((part) => part.blocks.map((text) => ({ text, standing: part.standing })));
  const scores = found.map(({ text }) => scoreOf(text, named));
  return found[scores.indexOf(Math.max(...scores))] ?? { text: "" };
}

/** The fenced blocks of a text, each cut to what is shown, and the rest. */
function splitBlocks(text: string): { blocks: readonly string[]; prose: string } {
  const blocks: string[] = [];
  const prose: string[] = [];
  let block: string[] | undefined;
  let mark = "";
  const close = () => {
    if (block && blocks.length < MAX_BLOCKS) blocks.push(block.join("\n").slice(0, MAX_EXAMPLE).trimEnd());
    block = undefined;
  };
  for (const line of text.split("\n")) {
    if (block && line.trim().startsWith(mark)) close();
    else if (block) block.push(line);
    else if (FENCE.test(line)) [block, mark] = [[], FENCE.exec(line)?.[1] ?? ""];
    else prose.push(line);
  }
  close();
  return { blocks: blocks.filter((one) => one !== ""), prose: prose.join("\n") };
}

const FENCE = /^ {0,3}(```|~~~)/;

/** Comments that are read, and blocks of each. */
const MAX_COMMENTS = 20;

const MAX_BLOCKS = 20;

/** Names of the issue and lines of code that count, and what a name counts beside a line. */
const MOST_COUNTED = 4;

const NAME_WEIGHT = 2;

const NO_EXAMPLE_WEIGHT = 20;

/** Calls, assignments, options, tags and brackets that open a block. */
const CODE_LINE = /[\w$!?]\(|=|->|[{[(]\s*$|<\/?\w|\s--?\w/;

/** Lines of stack traces, logs, versions and diffs. */
const NO_EXAMPLE = listed(
  String.raw`^\s*(?:`,
  String.raw`
  at\s\S.*[:(] File\s" Traceback\b Caused\sby \w*(?:Error|Exception|Warning):\s \[?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d
  npm\s \[?(?:ERROR|WARN|INFO|DEBUG)\b [-+]{3}\s @@\s diff\s--git [\w\s@/.-]{1,40}:?\s{1,9}v?\d{1,9}\.\d[\w.+-]*\s*$ thread\s'`,
  ")",
);

/** How much a block looks like an example: names of the issue, lines of code, and no log. */
function scoreOf(text: string, named: readonly string[]): number {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const words = new Set(text.match(WORD));
  const names = named.filter((name) => words.has(name)).length;
  const others = lines.filter((line) => NO_EXAMPLE.test(line)).length;
  const code = lines.filter((line) => CODE_LINE.test(line)).length;
  const share = others / Math.max(1, lines.length);
  return Math.min(MOST_COUNTED, names) * NAME_WEIGHT + Math.min(MOST_COUNTED, code) - share * NO_EXAMPLE_WEIGHT;
}

/** Code spans, quoted texts and options: a program takes them verbatim. */
const LITERALS = [
  /`([^`\n]{3,60})`/g,
  /(?<!<<[-~]?)"([^"\n]{3,60})"/g,
  /(?<!\w|<<[-~]?)'([^'\n]{3,60})'(?!\w)/g,
  /(?:^|\s)(--?[a-z][\w-]{2,40})/gm,
];

const MAX_LITERALS = 200;

const MAX_RESPELT = 3;

const WORD = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]{2,59}/gu;

/** Shorter literals are often alike by accident. */
const LEAST = 5;

/** `update:modelValue` and `update:model-value` are easily taken for the same. */
const plainOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** A literal of the issue that a change lacks, and how the change spells it. */
export interface RespeltLiteral {
  literal: string;
  variant: string;
}

const literalsIn = (text: string): readonly string[] =>
  LITERALS.flatMap((form) => [...text.matchAll(form)].map(([, literal = ""]) => literal.trim()));

const WORDS = /([\p{L}\p{N}]+)/u;

/**
 * Finds literals of the issue that the added lines do not have, and spell otherwise: by case, hyphens or other marks.
 * Compares whole literals only. `added`: the added lines of all files.
 */
export function respeltLiterals(issue: Told, added: string): readonly RespeltLiteral[] {
  const { text: example } = exampleOf(issue);
  // The example may be a comment's.
  const text = `${`${issue.title}\n${issue.body}`.slice(0, MAX_BODY)}\n${example}`;
  const written = [...literalsIn(added), ...(added.match(WORD) ?? [])];
  const variants = new Map(written.map((one) => [plainOf(one), one] as const));
  // The row of a table writes `|` as `\\|`.
  const unescaped = text.replace(/^[ \t]*\|.*/gm, (row) => row.replaceAll("\\|", "|"));
  const literals = [...new Set(literalsIn(unescaped))].slice(0, MAX_LITERALS);
  return literals
    .filter((literal) => plainOf(literal).length >= LEAST && !added.includes(literal) && !/\s/.test(literal))
    .flatMap((literal) => {
      const variant = variants.get(plainOf(literal));
      // Marks at the ends belong to the language, and any word may begin a sentence.
      const inner = (one: string) => one.split(WORDS).slice(1, -1).join("").slice(1);
      return variant === undefined || inner(variant) === inner(literal) ? [] : [{ literal, variant }];
    })
    .slice(0, MAX_RESPELT);
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
