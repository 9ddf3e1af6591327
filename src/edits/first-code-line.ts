const LINE_COMMENT = /^\s*(?:\/\/|#(?!\s*(?:include|define|if|pragma))|--|;;|$)/;
const BLOCK_BEGINS = /^\s*\/\*/;
const BLOCK_ENDS = /\*\//;
/** A longer comment is no licence. */
const MAX = 60;

/** The 1-based number of the first line after a file's licence and other opening comments; 1 when nothing else is in sight. */
export function firstCodeLine(lines: readonly string[]): number {
  let inBlock = false;
  for (const [at, line] of lines.slice(0, MAX).entries()) {
    if (inBlock || BLOCK_BEGINS.test(line)) inBlock = !BLOCK_ENDS.test(line);
    else if (!LINE_COMMENT.test(line)) return at + 1;
  }
  return 1;
}
