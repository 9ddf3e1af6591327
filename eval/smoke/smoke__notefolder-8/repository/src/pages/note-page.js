/** The page of one note. */
export function notePage({ title, body, tags = [] }) {
  const footer = tags.length > 0 ? `\n\nTags: ${tags.map((tag) => `[${tag}](tags/${tag}.md)`).join(", ")}` : "";
  return `# ${title}\n\n${body}${footer}\n`;
}
