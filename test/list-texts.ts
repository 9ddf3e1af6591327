/**
 * Texts under their names, for a snapshot. Paragraphs in a row that stand above already are named in one line, so that
 * a text shows what is its own.
 */
export function listTexts(texts: Iterable<readonly [name: string, text: string]>): string {
  const above = new Set<string>();
  return [...texts].map(([name, text]) => `=== ${name}\n${ownPart(text.split("\n\n"), above)}`).join("\n\n");
}

function ownPart(paragraphs: readonly string[], above: Set<string>): string {
  const parts: string[] = [];
  let known: string[] = [];
  const end = () => {
    const lines = known.join("\n\n").split("\n");
    if (lines.length > 2) parts.push(`⋮ ${lines[0]} … ${lines.at(-1)} (${lines.length} lines as above)`);
    else parts.push(...known);
    known = [];
  };
  for (const paragraph of paragraphs) {
    if (above.has(paragraph)) known.push(paragraph);
    else {
      end();
      parts.push(paragraph);
      above.add(paragraph);
    }
  }
  end();
  return parts.join("\n\n");
}
