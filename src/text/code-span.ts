/** Code within a line that the text cannot end, for paths and ids: in table cells too, and never a mark of the bot. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("<!--", "<\u200b!--").replaceAll("|", "\\|");
  const fence = "`".repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length)) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}
