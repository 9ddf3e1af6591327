import { CST, Lexer } from "yaml";
import type { DocumentFault } from "./settings-document.ts";

const MAX_DEPTH = 20;
const MAX = 4000;
const BLANK: ReadonlySet<string | null> = new Set(["space", "newline", "comment"]);

/**
 * Where a YAML text nests deeper than a configuration would, or has more parts; undefined when it does neither. The
 * parser is recursive, and at the end of the stack V8 can end the process instead of throwing; its time grows with the
 * square of the keys. So this is asked first. Nesting by indentation needs no limit: each level costs a longer line.
 */
export function findExcess(text: string): DocumentFault | undefined {
  let line = 1;
  let brackets = 0;
  let marks = 0;
  let parts = 0;
  for (const token of new Lexer().lex(text)) {
    const kind = CST.tokenType(token);
    if (kind === "flow-seq-start" || kind === "flow-map-start") brackets += 1;
    else if (kind === "flow-seq-end" || kind === "flow-map-end") brackets = Math.max(0, brackets - 1);
    else if (kind === "seq-item-ind" || kind === "explicit-key-ind" || kind === "map-value-ind") marks += 1;
    else if (kind === "comma" || (kind === "newline" && brackets === 0)) marks = 0;
    if (!BLANK.has(kind)) parts += 1;
    if (brackets > MAX_DEPTH || marks > MAX_DEPTH) return fault(line, "is nested too deep");
    if (parts > MAX) return fault(line, "has too many keys and values");
    line += token.split("\n").length - 1;
  }
  return undefined;
}

function fault(line: number, what: string): DocumentFault {
  return { line, key: "", message: `The file ${what} for a configuration: leave out what does not belong in it.` };
}
