import { stripTerminator } from "./strip-terminator.ts";

/**
 * Lines as a model is shown them: a right-aligned number, 1-based, " | " and the line, its tabs as they are
 * (`  9 | code`). `from` is the first line's number. The text has no final newline.
 */
export function numberLines(lines: readonly string[], from = 1): string {
  const width = String(from + lines.length - 1).length;
  return lines.map((line, index) => `${String(from + index).padStart(width)} | ${stripTerminator(line)}`).join("\n");
}
