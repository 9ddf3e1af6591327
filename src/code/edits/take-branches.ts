import { linesIn, type Span } from "./numbered.ts";

/** Lines of a long declaration shown first, and around each of the best lines in a long run of statements. */
const HEAD = 4;

const AROUND_BEST = 6;

/** A statement with everything indented below it, or several plain statements in a row. */
interface Branch {
  /** numbers of its own lines: the statement and what closes it, or all plain statements */
  own: number[];
  inner: Branch[];
  indent: number;
}

/**
 * Takes the most relevant parts of a declaration that is too long to show: its first lines of code, then its best
 * branches, each whole if it fits, else its first line and its own best branches, then comments. Finds branches by
 * indentation, so it works in any language. `take` adds lines by 1-based number, all or none, and says whether there
 * was room; `scores` has one for each line of the file.
 */
export function takeBranches(lines: readonly string[], span: Span, { scores, take }: Taking): void {
  const numbers = linesIn({ start: Math.max(1, span.start), end: Math.min(lines.length, span.end) });
  const { code, prose } = divided(lines, numbers);
  if (!take(code.slice(0, HEAD))) return;
  const scoreOf = (at: number) => scores[at - 1] ?? 0;
  const worth = ({ own, inner }: Branch): number => [...own.map(scoreOf), ...inner.map(worth)].reduce(larger, 0);
  const takeBranch = (branch: Branch): boolean => {
    if (take(allOf(branch))) return true;
    if (branch.inner.length === 0) return takeNearBest(branch.own);
    if (!take(branch.own)) return false;
    takeBest(branch.inner);
    return true;
  };
  const takeBest = (branches: readonly Branch[]): void => {
    const ranked = branches.map((branch) => ({ branch, score: worth(branch) })).sort((a, b) => b.score - a.score);
    for (const { branch, score } of ranked) if (!takeBranch(branch) && score === 0) return;
  };
  const takeNearBest = (own: readonly number[]): boolean => {
    const best = own.filter((at) => scoreOf(at) > 0).sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
    const inside = new Set(own);
    const near = best
      .flatMap((at) => linesIn({ start: at - AROUND_BEST, end: at + AROUND_BEST }))
      .filter((at) => inside.has(at));
    return [...new Set([...near, ...own])].every((at) => take([at]));
  };
  takeBest(branchesIn(lines, code));
  for (const at of prose) if (!take([at])) return;
}

interface Taking {
  scores: readonly number[];
  take: (numbers: readonly number[]) => boolean;
}

const larger = (a: number, b: number): number => Math.max(a, b);

const allOf = ({ own, inner }: Branch): readonly number[] => [...own, ...inner.flatMap(allOf)];

/** Lines that only close the statement before, or continue it: they belong to it. */
const CLOSES = /^(?:end\b.*|(?:[)\]}>;,]+|fi|done|esac)\s*;?)$/;

/** Nobody nests deeper; what is deeper counts as one level. */
const MAX_DEPTH = 40;

function branchesIn(lines: readonly string[], numbers: readonly number[]): readonly Branch[] {
  const top: Branch[] = [];
  const open: Branch[] = [];
  for (const at of numbers) {
    const line = lines[at - 1] ?? "";
    const text = line.trim();
    const indent = indentOf(line);
    if (text === "") {
      (open.at(-1) ?? top.at(-1))?.own.push(at);
      continue;
    }
    while (open.length > 0 && (open.at(-1) as Branch).indent >= indent + (CLOSES.test(text) ? 1 : 0)) open.pop();
    const holder = open.at(-1);
    if (holder && CLOSES.test(text) && holder.indent === indent) {
      holder.own.push(at);
      open.pop();
      continue;
    }
    const siblings = holder ? holder.inner : top;
    const branch: Branch = { own: [at], inner: [], indent };
    siblings.push(branch);
    if (open.length < MAX_DEPTH) open.push(branch);
  }
  return joined(top);
}

const TAB = "    ";

const indentOf = (line: string): number => {
  const text = line.trimStart();
  return line.slice(0, line.length - text.length).replaceAll("\t", TAB).length;
};

/** Joins plain statements in a row. */
function joined(branches: readonly Branch[]): Branch[] {
  const all: Branch[] = [];
  for (const branch of branches) {
    const before = all.at(-1);
    if (branch.inner.length === 0 && before && before.inner.length === 0) before.own.push(...branch.own);
    else all.push({ ...branch, inner: joined(branch.inner) });
  }
  return all;
}

const COMMENT = /^\s*(?:\/\/|#(?![[!\w])|--|;;|\*|\/\*)/;

const QUOTES = /"""|'''/g;

/** Long comments and docstrings: their lines behind the first two, for each of more than ten lines. */
export function longProse(lines: readonly string[]): readonly (readonly number[])[] {
  const { prose } = divided(lines, linesIn({ start: 1, end: lines.length }));
  const runs: number[][] = [];
  for (const at of prose) {
    const run = runs.at(-1);
    if (run?.at(-1) === at - 1) run.push(at);
    else runs.push([at]);
  }
  return runs.filter((run) => run.length > SHORT).map((run) => run.slice(BEGINNING));
}

/** Prose of up to this many lines in a row is short; of longer prose, so many are its beginning. */
const SHORT = 10;

const BEGINNING = 2;

/** What stands before quotes that open a text: a prefix, such as `rb` or `sql`, behind what may precede a value. */
const BEFORE_TEXT = /(?:^|[\s([{,:=+|&>$@])\w{0,9}$/;

const MAX_PREFIX = 10;

/** The end of a line that goes on in the next one. */
const GOES_ON = /[([{,=+\\]$/;

/**
 * Divides `numbers` into lines of code and the rest: comments, and texts that say what a function is for. Such a text
 * begins a line; one that opens within a line, or goes on with the line before, is a value, and thus code.
 */
function divided(lines: readonly string[], numbers: readonly number[]) {
  const prose = new Set<number>();
  let inComment = false;
  let text = { mark: "", isProse: false };
  let before = "";
  for (const at of numbers) {
    const line = lines[at - 1] ?? "";
    const inText = text.mark !== "";
    const began = inComment || (inText && text.isProse);
    if (!inText && /^\s*\/\*/.test(line)) inComment = true;
    const opens = !inComment && !inText && /^\s*[rbu]{0,2}(?:"""|''')/i.test(line);
    const isProse = opens && !GOES_ON.test(before);
    const isComment = !inText && !inComment && COMMENT.test(line);
    if (began || inComment || isProse || isComment) prose.add(at);
    if (inComment && line.includes("*/")) inComment = false;
    else if (!inComment && !isComment) {
      for (const { 0: mark, index } of line.matchAll(QUOTES)) {
        const mayOpen = BEFORE_TEXT.test(line.slice(Math.max(0, index - MAX_PREFIX), index));
        if (text.mark === mark) text = { mark: "", isProse };
        else if (text.mark === "" && mayOpen) text = { mark, isProse };
      }
    }
    before = line.trimEnd() || before;
  }
  return { code: numbers.filter((at) => !prose.has(at)), prose: [...prose] };
}
