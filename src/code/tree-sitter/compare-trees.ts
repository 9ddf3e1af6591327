import { addTo } from "../../data/add-to.ts";
import { listed } from "../../text/patterns.ts";
import type { DisturbedLine, EditedLines } from "../source-parser.ts";
import { MAX_TOKEN, spanKind, type TreePart, type TreeView } from "./tree-view.ts";

/** One edit has one cause: the first few places are enough to mend it. */
const MAX_DISTURBED = 3;

/**
 * Finds untouched lines that mean something else after an edit: they have become part of a comment or string, a
 * statement or list element has been joined with its new neighbour, or they have moved into another block. Not reported
 * is what an edit clearly intends: a chain or operator that continues, a modifier before a declaration. Where that is
 * unclear, it is reported: the Developer may give the same edits again.
 */
export function compareTrees(old: TreeView, now: TreeView, edits: readonly EditedLines[]): readonly DisturbedLine[] {
  // A grammar that cannot parse these lines says nothing about their neighbours.
  if (old.hasErrors || now.hasErrors) return [];
  const comparison = new Comparison(old, now, edits);
  const found = [...comparison.swallowed(), ...comparison.joined(), ...comparison.moved(), ...comparison.dangling()];
  const first = found.filter(({ line }, at) => found.findIndex((one) => one.line === line) === at);
  return first.sort((a, b) => a.line - b.line).slice(0, MAX_DISTURBED);
}

/** Two trees, and which rows of one are which of the other. */
class Comparison {
  readonly #old: TreeView;
  readonly #now: TreeView;
  readonly #edits: readonly EditedLines[];
  /** rows of the new text that an edit wrote, and of the old text that it removed */
  readonly #written = new Set<number>();
  readonly #removed = new Set<number>();
  readonly #starts: ReadonlyMap<string, TreePart[]>;
  readonly #ends: ReadonlyMap<string, TreePart[]>;

  constructor(old: TreeView, now: TreeView, edits: readonly EditedLines[]) {
    this.#old = old;
    this.#now = now;
    this.#edits = edits;
    let shift = 0;
    for (const { start, removed, added } of edits) {
      for (let at = 0; at < removed; at++) this.#removed.add(start - 1 + at);
      for (let at = 0; at < added; at++) this.#written.add(start - 1 + shift + at);
      shift += added - removed;
    }
    this.#starts = group(now.parts, startOf);
    this.#ends = group(now.parts, endOf);
  }

  /** The row in the new text of a kept row of the old one. */
  #rowOf(row: number): number {
    let shift = 0;
    for (const { start, removed, added } of this.#edits) if (start - 1 + removed <= row) shift += added - removed;
    return row + shift;
  }

  /** A part of the old tree at its place in the new text; undefined unless its lines are all kept and adjacent. */
  #kept(part: TreePart): TreePart | undefined {
    const [row, endRow] = [this.#rowOf(part.row), this.#rowOf(part.endRow)];
    const isTouched =
      rowsOf(part).some((at) => this.#removed.has(at)) || rowsOf({ row, endRow }).some((at) => this.#written.has(at));
    return isTouched ? undefined : { ...part, row, endRow };
  }

  /** Kept lines that became comment or string, or stopped being so. */
  swallowed(): DisturbedLine[] {
    const [before, after] = [marked(this.#old), marked(this.#now)];
    const found: DisturbedLine[] = [];
    for (const [row, line] of this.#old.lines.entries()) {
      if (this.#removed.has(row)) continue;
      const now = this.#rowOf(row);
      const [was, is] = [before.get(row), after.get(now)];
      for (const column of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
        if (!line[column]?.trim()) continue;
        const [left, entered] = [was?.get(column), is?.get(column)];
        if (kindOf(left) === kindOf(entered)) continue;
        if (left && this.#removed.has(left.row) && this.#removed.has(left.endRow)) continue;
        if (entered && this.#written.has(entered.row) && this.#written.has(entered.endRow)) continue;
        const what = entered ? `has become part of a ${kindOf(entered)}` : `is no part of a ${kindOf(left)} any more`;
        found.push({ line: now + 1, what });
        break;
      }
    }
    return found;
  }

  /** Kept statements, members and elements that were joined with something. */
  joined(): DisturbedLine[] {
    return this.#old.parts.flatMap((part) => {
      if (!isUnit(part) || spanKind(part.type) === "comment") return [];
      const kept = this.#kept(part);
      return kept ? (this.#joinOf(part, kept) ?? []) : [];
    });
  }

  #joinOf(part: TreePart, kept: TreePart): DisturbedLine | undefined {
    const same = (this.#starts.get(startOf(kept)) ?? []).filter((one) => one.type === kept.type);
    const intact = same.filter((one) => isSameExtent(one, kept));
    if (intact.some(({ parent }) => isAlike(parent, part.parent))) return undefined;
    const whole = intact[0] && outermostLike(intact[0]);
    const around = whole?.parent ?? this.#holderOf(kept);
    if (!around) return undefined;
    const { leaves } = this.#now;
    const joined = (token: TreePart | undefined, where: string): DisturbedLine => {
      const [shown = ""] = token?.text.split("\n") ?? [];
      return { line: kept.row + 1, what: `is joined with \`${shown}\`, which stands ${where} it` };
    };
    if (isAfter(around, kept) && !isBefore(around, kept)) {
      const next = leaves[leafAt(leaves, kept.endRow, kept.endColumn)];
      if (!next || isContinued(next) || this.#isAlone(part, whole) || this.#isAppended(next, around)) return undefined;
      return joined(next, "after");
    }
    // A statement stays what it was below a condition, a decorator or a label.
    if (whole && STATEMENT.test(whole.type)) return undefined;
    const last = leaves[leafAt(leaves, kept.row, kept.column) - 1];
    const before = this.#old.leaves[leafAt(this.#old.leaves, part.row, part.column) - 1];
    // An element of a list is no less so among arguments.
    if (last?.text === "," && before?.text === "," && isArguments(around)) return undefined;
    return isUnfinished(last) || this.#hasModifier(part, kept) ? undefined : joined(last, "before");
  }

  /** Whether a list without a closing bracket just grew: another statement in a case or a Python block. */
  #isAppended(next: TreePart, around: TreePart): boolean {
    const begun = this.#starts.get(startOf(next)) ?? [];
    return begun.some(({ parent }) => parent && isBefore(parent, next) && isList(parent) && holds(around, parent));
  }

  /** A single string continued by another: no forgotten comma. */
  #isAlone(part: TreePart, whole: TreePart | undefined): boolean {
    if (!whole || spanKind(part.type) !== "string") return false;
    return part.parent?.children.filter(({ isNamed }) => isNamed).length === 1;
  }

  /** Annotations and modifiers put before a declaration leave its last part as it was. */
  #hasModifier(part: TreePart, kept: TreePart): boolean {
    const last = part.children.filter(({ isNamed }) => isNamed).at(-1);
    const place = last && this.#kept(last);
    if (!last || !place || isSameExtent(place, kept)) return false;
    return (this.#ends.get(endOf(kept)) ?? []).some(
      (one) =>
        one.type === kept.type &&
        isBefore(one, kept) &&
        one.children.some((child) => child.type === last.type && isSameExtent(child, place)),
    );
  }

  /** The smallest part of the new tree that contains a kept one and more. */
  #holderOf(kept: TreePart): TreePart | undefined {
    const { leaves } = this.#now;
    const first = leaves[leafAt(leaves, kept.row, kept.column)];
    if (!first || !holds(kept, first)) return undefined;
    return [...ancestorsOf(first)].find((one) => holds(one, kept) && !isSameExtent(one, kept));
  }

  /** Kept lines that left their kept statement. */
  moved(): DisturbedLine[] {
    const leaves = new Set(this.#now.leaves);
    const seen = new Set<number>();
    return this.#old.leaves.flatMap((leaf) => {
      if (seen.has(leaf.row) || TEXTS.test(leaf.type)) return [];
      seen.add(leaf.row);
      if (CLOSING.test(this.#old.lines[leaf.row] ?? "")) return [];
      const kept = this.#kept({ ...leaf, endRow: leaf.row });
      const now = kept && (this.#starts.get(startOf(kept)) ?? []).find((one) => leaves.has(one));
      if (!kept || !now) return [];
      const around = new Set([...ancestorsOf(now)].flatMap((one) => [one, ...emptyCasesBefore(one)]).flatMap(headsOf));
      const left = [...ancestorsOf(leaf)].find((outer) => {
        if (!isUnit(outer) || outer.type === "text_interpolation") return false;
        if (this.#removed.has(outer.row) || outer.row === leaf.row) return false;
        return !headsOf({ ...outer, row: this.#rowOf(outer.row) }).some((one) => around.has(one));
      });
      const head = left && this.#old.lines[left.row]?.trim().slice(0, MAX_TOKEN);
      return left ? [{ line: kept.row + 1, what: `belongs no longer to \`${head}\`` }] : [];
    });
  }

  /** An `else` written below one `if` and parsed with another. */
  dangling(): DisturbedLine[] {
    const before = new Set(danglingRows(this.#old).map((row) => this.#rowOf(row)));
    return danglingRows(this.#now)
      .filter((row) => !before.has(row))
      .map((row) => ({ line: row + 1, what: "is an `else` of another `if` than the one that it stands below" }));
  }
}

/** Cases that go on into the next one where they are empty; those of Go do not. */
const FALLS = /^(?:switch_case|case_statement)$/;

/** The empty cases right before a case, which share its lines. */
function emptyCasesBefore(part: TreePart): readonly TreePart[] {
  if (!FALLS.test(part.type)) return [];
  const before = (part.parent?.children ?? []).filter((one) => isBefore(one, part));
  const last = before.findLastIndex(({ type, children }) => type !== part.type || children.at(-1)?.type !== ":");
  return before.slice(last + 1);
}

/** A line that only closes what others began: a block written before it takes it over, and ends with one like it. */
const CLOSING = /^\s*(?:[)\]}]+|end)[;,]?\s*$/;

const OPENERS: ReadonlySet<string> = new Set(["(", "[", "{"]);

/** Nodes that hold a list of statements, members or elements without an opening bracket. */
const LISTS = listed("", "block body list then else begin case switch section preproc_ ^do$", "");

const isList = (part: TreePart | undefined): boolean =>
  part === undefined || part.parent === undefined || OPENERS.has(part.children[0]?.type ?? "") || LISTS.test(part.type);

/** Statements and members stay what they are in another list; an argument they do not become on their own. */
const isAlike = (parent: TreePart | undefined, old: TreePart | undefined): boolean =>
  parent?.type === old?.type || (isList(parent) && !isArguments(parent));

const isArguments = (part: TreePart | undefined): boolean => /argument/.test(part?.type ?? "");

/** What identifies a statement over several lines; a list without brackets begins where its first part does. */
const headsOf = (part: TreePart): readonly string[] => [
  `${part.type} ${startOf(part)}`,
  ...(hasHead(part) ? [startOf(part)] : []),
];

/** Whether a part is more than a bare list of its children. */
const hasHead = ({ type, parent, children }: TreePart): boolean =>
  parent !== undefined && !(LISTS.test(type) && children[0]?.isNamed === true);

/** A whole element of a list: a statement, a declaration, a value. */
const isUnit = (part: TreePart): boolean => hasHead(part) && part.isNamed && isList(part.parent);

const STATEMENT = /statement|definition/;

/** Whether a token continues what stands before it: a keyword or a sign that opens nothing. */
const isContinued = ({ isNamed, text }: TreePart): boolean => !(isNamed || OPENERS.has(text));

/** Whether a token, an operator, asks for more behind it. */
const isUnfinished = (token: TreePart | undefined): boolean =>
  token !== undefined && !token.isNamed && /[^\w\s,;)\]}"'`]$/.test(token.text);

const startOf = ({ row, column }: TreePart): string => `${row}:${column}`;

const endOf = ({ endRow, endColumn }: TreePart): string => `${endRow}:${endColumn}`;

const isSameExtent = (one: TreePart, other: TreePart): boolean =>
  startOf(one) === startOf(other) && endOf(one) === endOf(other);

const isAfter = (one: TreePart, other: TreePart): boolean =>
  one.endRow > other.endRow || (one.endRow === other.endRow && one.endColumn > other.endColumn);

const isBefore = (one: TreePart, other: TreePart): boolean =>
  one.row < other.row || (one.row === other.row && one.column < other.column);

const holds = (outer: TreePart, inner: TreePart): boolean => !isBefore(inner, outer) && !isAfter(inner, outer);

const rowsOf = ({ row, endRow }: { row: number; endRow: number }): readonly number[] =>
  Array.from({ length: endRow - row + 1 }, (_, at) => row + at);

function* ancestorsOf(part: TreePart): Generator<TreePart> {
  for (let one = part.parent; one; one = one.parent) yield one;
}

function group(parts: readonly TreePart[], key: (part: TreePart) => string): ReadonlyMap<string, TreePart[]> {
  const groups = new Map<string, TreePart[]>();
  for (const part of parts) addTo(groups, key(part), part);
  return groups;
}

/** Where the first leaf stands that begins at or after this place, by binary search. */
function leafAt(leaves: readonly TreePart[], row: number, column: number): number {
  let [from, to] = [0, leaves.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const leaf = leaves[middle];
    if (leaf && (leaf.row < row || (leaf.row === row && leaf.column < column))) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The largest part of the same extent. */
function outermostLike(part: TreePart): TreePart {
  const { parent } = part;
  return parent?.parent && isSameExtent(parent, part) ? outermostLike(parent) : part;
}

const MACRO = "preproc_arg";

const TEXTS = /^(?:text|raw_text)$/;

function kindOf(part: TreePart | undefined): string | undefined {
  if (!part) return undefined;
  if (part.type === MACRO) return "macro";
  return TEXTS.test(part.type) ? "text" : spanKind(part.type);
}

/** The comment, string, macro or text at each row and column. */
function marked({ parts, lines }: TreeView): ReadonlyMap<number, ReadonlyMap<number, TreePart>> {
  const rows = new Map<number, Map<number, TreePart>>();
  for (const part of parts) {
    if (!part.isNamed || kindOf(part) === undefined) continue;
    for (let row = part.row; row <= part.endRow; row++) {
      const { length } = lines[row] ?? "";
      const columns = rows.get(row) ?? new Map<number, TreePart>();
      rows.set(row, columns);
      const first = row === part.row ? part.column : 0;
      const last = row === part.endRow ? Math.min(part.endColumn, length) : length;
      // A row's ends show what its middle is.
      for (const column of edgesOf(lines[row] ?? "", first, last)) if (!columns.has(column)) columns.set(column, part);
    }
  }
  return rows;
}

/** The columns of the first and last non-blank character between two columns. */
function edgesOf(line: string, first: number, last: number): readonly number[] {
  const inner = line.slice(first, last);
  if (inner.trim() === "") return [];
  return [first + inner.length - inner.trimStart().length, first + inner.trimEnd().length - 1];
}

const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Rows that begin with an `else` that is indented like an outer `if` and belongs to an inner one. */
function danglingRows({ leaves, lines }: TreeView): number[] {
  const isFirst = ({ row, column }: TreePart) => indentOf(lines[row]).length === column;
  return leaves.flatMap((leaf) => {
    if (leaf.text !== "else" || !isFirst(leaf)) return [];
    const ifs = [...ancestorsOf(leaf)].filter((one) => one.type === "if_statement" && isFirst(one));
    const [own, ...outer] = ifs.map(({ row }) => indentOf(lines[row]));
    const indent = indentOf(lines[leaf.row]);
    return own !== undefined && own !== indent && outer.includes(indent) ? [leaf.row] : [];
  });
}
