const LABEL = /^[\s>*+\-\d.)]*\[(?!\^)(?:[^[\]\\]|\\.){1,999}\]:[ \t]*/;
const DESTINATION = /^(<[^<>]*>|[^\s<]\S*)[ \t]*/;
/** An address in angle brackets that is none. */
const HIDING = /^<(?:>|.*\s)/;
const TITLE_START = /^["'(]/;

/**
 * Link definitions (`[name]: address "title"`) are in the source but not on the page, and `[//]: # (text)` is a usual
 * way to write a comment. Keeps name and address of a definition, drops its title, which may go on over lines; a
 * definition that leads nowhere goes altogether. Footnotes and lines that only begin alike stay.
 */
export function stripReferences(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const label = LABEL.exec(line)?.[0];
    const destination = label === undefined ? undefined : DESTINATION.exec(line.slice(label.length))?.[0];
    const rest = label === undefined || destination === undefined ? "" : line.slice(label.length + destination.length);
    if (label === undefined || destination === undefined || (rest !== "" && !TITLE_START.test(rest))) {
      kept.push(line);
      continue;
    }
    const address = destination.trim();
    if (address !== "#" && !HIDING.test(address)) kept.push(label + address);
    const title = rest === "" ? (lines[index + 1] ?? "").trim() : rest;
    if (!TITLE_START.test(title)) continue;
    if (rest === "") index += 1;
    index = endOfTitle(lines, index, title);
  }
  return kept.join("\n");
}

/** The line on which a title ends that begins on line `index`: at its closing mark, or before a blank line. */
function endOfTitle(lines: readonly string[], index: number, title: string): number {
  const mark = title[0] === "(" ? ")" : (title[0] ?? "");
  if (title.indexOf(mark, 1) > 0) return index;
  for (let at = index + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") return at - 1;
    if (line.includes(mark)) return at;
  }
  return lines.length - 1;
}
