import { CST, Lexer } from "yaml";

/** How large a YAML text may be to be parsed. */
export interface YamlBounds {
  /** brackets in brackets, and marks such as `- - -` on one line */
  depth: number;
  /** tokens that are no blanks, some for each key */
  parts: number;
}

/** Anchors and tags of one value: the parser's time grows with the square of their number. */
const MAX_MARKS = 100;

const MAX_ALIASES = 1000;

const BLANK: ReadonlySet<string | null> = new Set(["space", "newline", "comment"]);

/**
 * Why a YAML text is too large to be parsed, as a verb and its object, and the line; undefined if it is not. Ask before
 * parsing: the parser is recursive, and when the stack overflows V8 may end the whole process instead of throwing.
 * Nesting by indentation needs no limit, since each level costs a longer line.
 */
export function excessOfYaml(text: string, bounds: YamlBounds): { line: number; what: string } | undefined {
  let [line, parts, aliases, marks, brackets, row] = [1, 0, 0, 0, 0, 0];
  for (const token of new Lexer().lex(text)) {
    const kind = CST.tokenType(token);
    if (!BLANK.has(kind)) parts += 1;
    if (kind === "alias") aliases += 1;
    if (kind === "anchor" || kind === "tag") marks += 1;
    else if (!BLANK.has(kind)) marks = 0;
    if (kind === "flow-seq-start" || kind === "flow-map-start") brackets += 1;
    else if (kind === "flow-seq-end" || kind === "flow-map-end") brackets = Math.max(0, brackets - 1);
    else if (kind === "seq-item-ind" || kind === "explicit-key-ind" || kind === "map-value-ind") row += 1;
    else if (kind === "comma" || (kind === "newline" && brackets === 0)) row = 0;
    if (Math.max(brackets, row) > bounds.depth) return { line, what: `nests deeper than ${bounds.depth} levels` };
    if (parts > bounds.parts) return { line, what: `has more than ${bounds.parts} keys and values` };
    if (aliases > MAX_ALIASES) return { line, what: `has more than ${MAX_ALIASES} aliases` };
    if (marks > MAX_MARKS) return { line, what: `has more than ${MAX_MARKS} anchors and tags in a row` };
    line += token.split("\n").length - 1;
  }
  return undefined;
}
