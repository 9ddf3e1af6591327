import type { DisturbedLine, EditedLines } from "../../ports/source-parser.ts";
import type { Grammar } from "./languages.ts";
import { spanKind } from "./spans.ts";
import { AROUND, MAX_TOKEN, type TreePart, type TreeView } from "./tree-view.ts";

/** What one edit does to its neighbours has one cause: the first few places are what there is to mend. */
const MAX_DISTURBED = 3;

/** What was edited, and the language. */
interface Edits {
  readonly edits: readonly EditedLines[];
  readonly grammar: Grammar;
}

/**
 * Where lines that an edit leaves as they are mean something else after it: they have become part of a comment or a string, a
 * statement or an element of a list has been joined with what was put beside it, or they have moved into another block. What
 * an edit plainly means to do is none of it: brackets that it opens or closes around them, a chain or an operator that
 * goes on, a modifier before a declaration.
 */
export function compareTrees(old: TreeView, now: TreeView, change: Edits): readonly DisturbedLine[] {
  // A grammar that is lost in these lines says nothing of what is beside them.
  if (old.hasErrors || now.hasErrors) return [];
  const comparison = new Comparison(old, now, change);
  const found = [
    ...comparison.swallowed(),
    ...comparison.joined(),
    ...comparison.moved(),
    ...(BRACELESS.has(change.grammar) ? comparison.dangling() : []),
  ];
  const first = found.filter(({ line }, at) => found.findIndex((one) => one.line === line) === at);
  return first.sort((a, b) => a.line - b.line).slice(0, MAX_DISTURBED);
}

/** Languages whose `if` may have a body without braces. */
const BRACELESS: ReadonlySet<Grammar> = new Set(["c-sharp", "cpp", "java", "javascript", "php", "tsx", "typescript"]);

const OPENERS: ReadonlySet<string> = new Set(["(", "[", "{"]);

const CLOSERS: ReadonlySet<string> = new Set([")", "]", "}", "end"]);

/** Nodes with a list of statements, members or elements below them that have no bracket at their beginning. */
const LISTS =
  /block|body|list|statements|then|else|begin|clause|case|group|section|preproc_(?:if|else|elif)|^jsx_(?:element|fragment)$|^do$/;

const isList = (part: TreePart | undefined): boolean =>
  part === undefined || part.parent === undefined || OPENERS.has(part.children[0]?.type ?? "") || LISTS.test(part.type);

/** Lists of what is handed over or kept, in place of what is done or declared. */
const ELEMENTS = /argument|array|tuple|expression_list|pattern|parameter|hash|object|dictionary|set$|literal/;

/** Whether two lists are of the same sort: a statement does not become an argument by itself. */
const isSameSort = (one: TreePart | undefined, other: TreePart | undefined): boolean =>
  ELEMENTS.test(one?.type ?? "") === ELEMENTS.test(other?.type ?? "");

/** What a statement is known by that goes on to other lines; a list without brackets begins where its first part does. */
const headsOf = (part: TreePart): readonly string[] => [
  `${part.type} ${startOf(part)}`,
  ...(hasHead(part) ? [startOf(part)] : []),
];

/** Whether a part is more than the list of what is in it, which begins and ends with that. */
const hasHead = ({ type, parent, children }: TreePart): boolean =>
  parent !== undefined && !(LISTS.test(type) && children[0]?.isNamed === true);

/** What stands whole in a list: a statement, a declaration, an element. */
const isUnit = (part: TreePart): boolean => hasHead(part) && part.isNamed && isList(part.parent);

const STATEMENT = /statement|declaration|definition|_item$|method|function|class|module|signature|block|element|clause/;

/** Tokens that stand at the beginning of a line only where it goes on with the one before. */
const CONTINUES: ReadonlySet<string> = new Set([
  "else",
  "elif",
  "elsif",
  "catch",
  "except",
  "finally",
  "rescue",
  "ensure",
  "where",
  "extends",
  "implements",
  "throws",
  "then",
  "instanceof",
  "as",
  "is",
  "in",
  "of",
  "and",
  "or",
  "satisfies",
  "requires",
  "with",
  "while",
]);

/** Characters that may begin a statement, a member or an element. */
const MAY_BEGIN = /^[[({`/<"'@#\w$]/;

const goesOn = (token: TreePart | undefined): boolean =>
  token === undefined || CONTINUES.has(token.text) || !MAY_BEGIN.test(token.text);

/** Tokens after which something has to come. */
const PREFIXES: ReadonlySet<string> = new Set([
  "await",
  "not",
  "new",
  "typeof",
  "throw",
  "export",
  "default",
  "and",
  "or",
]);

const ASKS_FOR_MORE = /[-+*/%&|^<=?:.([{~!@]$|=>$/;

const asksForMore = (token: TreePart | undefined): boolean =>
  token !== undefined && token.text !== "++" && token.text !== "--" && !/["'`]$/.test(token.text)
    ? PREFIXES.has(token.text) || ASKS_FOR_MORE.test(token.text)
    : false;

const keyOf = (row: number, column: number): string => `${row}:${column}`;

const startOf = ({ row, column }: TreePart): string => keyOf(row, column);

const endOf = ({ endRow, endColumn }: TreePart): string => keyOf(endRow, endColumn);

const isSameExtent = (one: TreePart, other: TreePart): boolean =>
  startOf(one) === startOf(other) && endOf(one) === endOf(other);

const isAfter = (one: TreePart, other: TreePart): boolean =>
  one.endRow > other.endRow || (one.endRow === other.endRow && one.endColumn > other.endColumn);

const isBefore = (one: TreePart, other: TreePart): boolean =>
  one.row < other.row || (one.row === other.row && one.column < other.column);

const holds = (outer: TreePart, inner: TreePart): boolean => !isBefore(inner, outer) && !isAfter(inner, outer);

function* ancestorsOf(part: TreePart): Generator<TreePart> {
  for (let one = part.parent; one; one = one.parent) yield one;
}

function group(parts: readonly TreePart[], key: (part: TreePart) => string): ReadonlyMap<string, TreePart[]> {
  const groups = new Map<string, TreePart[]>();
  for (const part of parts) {
    const known = groups.get(key(part));
    if (known) known.push(part);
    else groups.set(key(part), [part]);
  }
  return groups;
}

/** Two trees, and which rows of one are which of the other. */
class Comparison {
  readonly #old: TreeView;
  readonly #now: TreeView;
  readonly #edits: readonly EditedLines[];
  /** rows of the new text that an edit wrote, and of the old one that it took away */
  readonly #written = new Set<number>();
  readonly #removed = new Set<number>();
  readonly #starts: ReadonlyMap<string, TreePart[]>;
  readonly #ends: ReadonlyMap<string, TreePart[]>;
  readonly #nowAt = new Map<TreePart, number>();

  constructor(old: TreeView, now: TreeView, { edits }: Edits) {
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
    for (const [at, leaf] of now.leaves.entries()) this.#nowAt.set(leaf, at);
  }

  /** The row of the new text that a kept row of the old one is. */
  #rowOf(row: number): number {
    let shift = 0;
    for (const { start, removed, added } of this.#edits) if (start - 1 + removed <= row) shift += added - removed;
    return row + shift;
  }

  /** A part of the old tree at its place in the new text; undefined where it does not stand on kept lines alone, side by side. */
  #kept(part: TreePart): TreePart | undefined {
    const [row, endRow] = [this.#rowOf(part.row), this.#rowOf(part.endRow)];
    if (endRow - row !== part.endRow - part.row) return undefined;
    for (let at = part.row; at <= part.endRow; at++) if (this.#removed.has(at)) return undefined;
    for (let at = row; at <= endRow; at++) if (this.#written.has(at)) return undefined;
    return { ...part, row, endRow };
  }

  #told(part: TreePart, what: string): DisturbedLine {
    return { line: part.row + 1, what };
  }

  /** Kept lines that have become comment or string, or are none any more. */
  swallowed(): DisturbedLine[] {
    const [before, after] = [marked(this.#old), marked(this.#now)];
    const found: DisturbedLine[] = [];
    for (const [row, line] of this.#old.lines.entries()) {
      if (this.#removed.has(row) || !this.#isNear(row)) continue;
      const now = this.#rowOf(row);
      const [was, is] = [before.get(row), after.get(now)];
      const kinds = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
      for (const column of kinds) {
        if (line[column] === undefined || line[column]?.trim() === "") continue;
        const [old, found_] = [was?.get(column), is?.get(column)];
        if (kindOf(old) === kindOf(found_)) continue;
        if (old && this.#removed.has(old.row) && this.#removed.has(old.endRow)) continue;
        if (found_ && this.#written.has(found_.row) && this.#written.has(found_.endRow)) continue;
        const what = found_ ? `has become part of a ${kindOf(found_)}` : `is no part of a ${kindOf(old)} any more`;
        found.push({ line: now + 1, what });
        break;
      }
    }
    return found;
  }

  #isNear(row: number): boolean {
    return this.#edits.some(({ start, removed }) => row >= start - 1 - AROUND && row < start - 1 + removed + AROUND);
  }

  /** Kept statements, members and elements that have been joined with something. */
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
    const isSame = ({ parent }: TreePart) =>
      parent?.type === part.parent?.type || (isList(parent) && isSameSort(parent, part.parent));
    if (intact.some(isSame)) return undefined;
    if (this.#isBracketed(part, kept)) return undefined;
    const whole = intact[0] ? outermostLike(intact[0]) : undefined;
    if (whole && isSame(whole)) return undefined;
    const around = whole?.parent ?? same.find((one) => isAfter(one, kept)) ?? this.#holderOf(kept);
    if (!around) return undefined;
    if (isAfter(around, kept) && !isBefore(around, kept)) {
      const next = this.#leafAfter(kept);
      if (goesOn(next) || this.#isAlone(part, whole) || this.#isAppended(next, around)) return undefined;
      return this.#told(kept, `is joined with \`${next?.text.split("\n")[0] ?? ""}\`, which stands after it`);
    }
    const last = this.#leafBefore(kept);
    // Below a condition, a decorator or a label a statement stays what it was.
    if (whole && STATEMENT.test(whole.type)) return undefined;
    if (asksForMore(last) || this.#isAlone(part, whole) || this.#hasModifier(part, kept)) return undefined;
    if (intact.length > 0 && !isBefore(around, kept)) return undefined;
    const [child, ...others] = part.children.filter(({ isNamed }) => isNamed);
    if (child && others.length === 0 && isSameExtent(child, part) && this.#isList(child)) return undefined;
    return this.#told(kept, `is joined with \`${last?.text.split("\n")[0] ?? ""}\`, which stands before it`);
  }

  /** Whether a part stands whole in a list of the new tree. */
  #isList(part: TreePart): boolean {
    const kept = this.#kept(part);
    const found = kept && (this.#starts.get(startOf(kept)) ?? []).filter((one) => isSameExtent(one, kept));
    return found?.some((one) => isList(one.parent)) ?? false;
  }

  /** Whether a list that is open at its end has one more part: a case with another statement, a block of Python. */
  #isAppended(next: TreePart | undefined, around: TreePart): boolean {
    return (next ? (this.#starts.get(startOf(next)) ?? []) : []).some(
      ({ parent }) => parent && next && isBefore(parent, next) && isList(parent) && holds(around, parent),
    );
  }

  /** A single text that goes on in another one: nobody left a comma out. */
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

  /** Whether the edit itself opened or closed brackets around a part, in either tree. */
  #isBracketed(part: TreePart, kept: TreePart): boolean {
    const holder = this.#holderOf(kept);
    const now = holder ? [holder, ...ancestorsOf(holder)] : [];
    const encloses = (outer: TreePart, inner: TreePart, rows: ReadonlySet<number>) => {
      const opener = outer.children.find(({ type }) => OPENERS.has(type));
      const closer = outer.children.findLast(({ type }) => CLOSERS.has(type));
      if (!opener || !closer || !isBefore(opener, inner) || isBefore(closer, inner)) return false;
      return rows.has(opener.row) || rows.has(closer.row);
    };
    return (
      now.some((outer) => encloses(outer, kept, this.#written)) ||
      [...ancestorsOf(part)].some((outer) => encloses(outer, part, this.#removed))
    );
  }

  /** The smallest part of the new tree that is larger than a kept one and has it all in it. */
  #holderOf(kept: TreePart): TreePart | undefined {
    const at = this.#now.leaves[this.#leafAt(kept.row, kept.column)];
    if (!at) return undefined;
    if (!holds(kept, at)) return undefined;
    return [...ancestorsOf(at)].find((one) => holds(one, kept) && !isSameExtent(one, kept));
  }

  #leafAfter({ endRow, endColumn }: TreePart): TreePart | undefined {
    return this.#now.leaves[this.#leafAt(endRow, endColumn)];
  }

  #leafBefore({ row, column }: TreePart): TreePart | undefined {
    return this.#now.leaves[this.#leafAt(row, column) - 1];
  }

  /** The first leaf of the new tree that begins at this place or after it; leaves are in the order of the text. */
  #leafAt(row: number, column: number): number {
    const { leaves } = this.#now;
    let [from, to] = [0, leaves.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const leaf = leaves[middle];
      if (leaf && (leaf.row < row || (leaf.row === row && leaf.column < column))) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Kept lines that stood in a kept statement, and stand in it no longer. */
  moved(): DisturbedLine[] {
    const found: DisturbedLine[] = [];
    const rows = new Set<number>();
    for (const leaf of this.#old.leaves) {
      if (rows.has(leaf.row) || TEXTS.test(leaf.type)) continue;
      rows.add(leaf.row);
      const kept = this.#kept({ ...leaf, endRow: leaf.row });
      const now = kept && (this.#starts.get(startOf(kept)) ?? []).find((one) => this.#nowAt.has(one));
      if (!kept || !now) continue;
      const starts = new Set([...ancestorsOf(now)].flatMap(headsOf));
      const left = [...ancestorsOf(leaf)].find((outer) => {
        if (
          !isUnit(outer) ||
          outer.type === "text_interpolation" ||
          this.#removed.has(outer.row) ||
          outer.row === leaf.row
        )
          return false;
        const head = { ...outer, row: this.#rowOf(outer.row) };
        return !headsOf(head).some((one) => starts.has(one)) && !this.#isClosed(head);
      });
      if (left && !this.#isHeadOnly(now)) {
        const head = this.#old.lines[left.row]?.trim().slice(0, MAX_TOKEN) ?? "";
        found.push({ line: kept.row + 1, what: `belongs no longer to \`${head}\`` });
      }
    }
    return found;
  }

  /** Whether the edit closes a statement that begins on a kept line, by a bracket that was opened before. */
  #isClosed(head: TreePart): boolean {
    return (this.#starts.get(startOf(head)) ?? []).some((one) => {
      for (
        let last: TreePart | undefined = one;
        last;
        last = last.children.at(last.children.at(-1)?.type === ";" ? -2 : -1)
      ) {
        if (!CLOSERS.has(last.type)) continue;
        const opener = last.parent?.children[0];
        return this.#written.has(last.row) && opener !== undefined && !this.#written.has(opener.row);
      }
      return false;
    });
  }

  /** Whether the edit ends with the head of a block that what follows is meant to be in. */
  #isHeadOnly(now: TreePart): boolean {
    const opened = [...ancestorsOf(now)].filter((one) => this.#written.has(one.row) && STATEMENT.test(one.type));
    const [inner] = opened.filter(({ type }) => !/block|body/.test(type));
    if (!inner) return false;
    return !this.#now.parts.some(
      (one) => one.isNamed && STATEMENT.test(one.type) && one !== inner && this.#isWritten(one) && holds(inner, one),
    );
  }

  #isWritten(part: TreePart): boolean {
    for (let row = part.row; row <= part.endRow; row++) if (!this.#written.has(row)) return false;
    return true;
  }

  /** An `else` that is written below one `if` and read with another. */
  dangling(): DisturbedLine[] {
    const before = new Set(danglingRows(this.#old).map((row) => this.#rowOf(row)));
    return danglingRows(this.#now)
      .filter((row) => !before.has(row))
      .map((row) => ({ line: row + 1, what: "is an `else` of another `if` than the one that it stands below" }));
  }
}

/** The largest part that is no more than this one. */
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

/** By row and column, the comment, string, macro or text that stands there. */
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
      // The ends of a row tell what its middle is.
      for (const column of edgesOf(lines[row] ?? "", first, last)) if (!columns.has(column)) columns.set(column, part);
    }
  }
  return rows;
}

/** The columns of the first and the last character between two columns that are no blanks. */
function edgesOf(line: string, first: number, last: number): readonly number[] {
  const inner = line.slice(first, last);
  if (inner.trim() === "") return [];
  return [first + inner.length - inner.trimStart().length, first + inner.trimEnd().length - 1];
}

const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Rows that begin with an `else` that is indented as an outer `if` is, and belongs to an inner one. */
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
