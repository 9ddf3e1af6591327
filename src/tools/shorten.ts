/** A line as it is shown: with its indentation, cut visibly at `most` characters, around `at` when that lies behind. */
export function shorten(line: string, most: number, at = 0): string {
  const text = line.trimEnd();
  if (text.length <= most) return text;
  const from = Math.max(0, Math.min(at - Math.floor(most / 3), text.length - most));
  const before = from > 0 ? `[${from} characters] …` : "";
  const left = text.length - from - most;
  return `${before}${text.slice(from, from + most)}${left > 0 ? `… [${left} more characters]` : ""}`;
}
