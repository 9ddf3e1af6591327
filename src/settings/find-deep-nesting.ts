import { CST, Lexer } from "yaml";

const DEEPEST = 20;

/**
 * The line at which a YAML text nests deeper than any configuration would; undefined when it never does. The parser
 * itself is recursive, and at the end of the stack V8 can end the process instead of throwing: so this is asked first.
 * Nesting by indentation alone needs no limit, since it costs a longer line at each level.
 */
export function findDeepNesting(text: string): number | undefined {
  let line = 1;
  let brackets = 0;
  let dashes = 0;
  for (const token of new Lexer().lex(text)) {
    const kind = CST.tokenType(token);
    if (kind === "flow-seq-start" || kind === "flow-map-start") brackets += 1;
    else if (kind === "flow-seq-end" || kind === "flow-map-end") brackets -= 1;
    else if (kind === "seq-item-ind" || kind === "explicit-key-ind" || kind === "map-value-ind") dashes += 1;
    else if (kind === "newline") dashes = 0;
    if (brackets > DEEPEST || dashes > DEEPEST) return line;
    line += token.split("\n").length - 1;
  }
  return undefined;
}
