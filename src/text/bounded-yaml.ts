/**
 * Counts how deep YAML nests within a line: by brackets, or by a row of marks (`- - -`, `? ?`). Takes the kind of each
 * token of `yaml`'s lexer in order, and gives the depth after it. Check it before parsing: the parser is recursive, and
 * when the stack overflows V8 may end the whole process instead of throwing.
 */
export function countYamlNesting(): (kind: string | null) => number {
  let brackets = 0;
  let marks = 0;
  return (kind) => {
    if (kind === "flow-seq-start" || kind === "flow-map-start") brackets += 1;
    else if (kind === "flow-seq-end" || kind === "flow-map-end") brackets = Math.max(0, brackets - 1);
    else if (kind === "seq-item-ind" || kind === "explicit-key-ind" || kind === "map-value-ind") marks += 1;
    else if (kind === "comma" || (kind === "newline" && brackets === 0)) marks = 0;
    return Math.max(brackets, marks);
  };
}
