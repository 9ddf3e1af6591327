/** A section that a reader opens: `title` is one line, `content` Markdown. "" when there is no content. */
export function fold(title: string, content: string): string {
  return content.trim() === "" ? "" : `<details><summary>${title}</summary>\n\n${content.trim()}\n\n</details>`;
}
