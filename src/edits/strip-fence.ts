const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;

/** What a Markdown code fence holds, and its info string ("ts", "" when it has none). */
interface Fenced {
  readonly content: string;
  readonly info: string;
}

/**
 * Takes a model's answer out of the one code fence that surrounds it; undefined when it is not fenced as a whole.
 * `content` has its final newline only when a line stands before the closing fence: an empty fence gives "".
 */
export function stripFence(text: string): Fenced | undefined {
  const lines = text.trim().split(/\r\n|\n/);
  const opening = FENCE.exec(lines[0] ?? "");
  if (opening === null || lines.length < 2) return undefined;
  const [, mark = "", info = ""] = opening;
  let depth = 1;
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    const fence = FENCE.exec(line.trimEnd());
    if (fence?.[1]?.[0] !== mark[0] || fence === null) continue;
    if (fence[2] !== "") depth += 1;
    else if (depth > 1 || (fence[1]?.length ?? 0) >= mark.length) depth -= 1;
    if (depth === 0 && index < lines.length - 1) return undefined;
  }
  if (depth > 0) return undefined;
  const inner = lines.slice(1, -1);
  return { content: inner.map((line) => `${line}\n`).join(""), info: info.trim() };
}
