/**
 * An issue that is written in a file of its own: its first line, heading or not, is the title, the rest the body.
 * Undefined when there is no text.
 */
export function parseIssueText(text: string): { readonly title: string; readonly body: string } | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const at = lines.findIndex((line) => line.trim() !== "");
  const first = lines[at]?.trim();
  if (first === undefined) return undefined;
  const title = first.replace(/^#{1,6}\s+/, "").replace(/\s+#+$/, "");
  const rest = lines.slice(at + 1);
  if (/^(=+|-+)\s*$/.test(rest[0] ?? "")) rest.shift();
  return { title, body: rest.join("\n").trim() };
}
