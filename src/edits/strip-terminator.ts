/** A line without its terminator (\r\n, \n or \r). */
export function stripTerminator(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") || line.endsWith("\r") ? line.slice(0, -1) : line;
}
