import { type Document, type LineCounter, visit } from "yaml";
import { codeSpan } from "../../text/code-span.ts";
import type { DocumentFault } from "./settings-document.ts";

const MAX = 100;
const MAX_LENGTH = 60;

/**
 * Aliases that lead nowhere, which globs in front of which the quotes were forgotten (`*.min.js`) look like to YAML, and
 * aliases without end. Asked before the document is made into values.
 */
export function findAliasFaults(document: Document, lines: LineCounter): readonly DocumentFault[] {
  const anchors = new Set<string>();
  const faults: DocumentFault[] = [];
  let count = 0;
  visit(document, {
    Node: (_key, node) => {
      if ("anchor" in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
    Alias: (_key, { source, range }) => {
      count += 1;
      const line = lines.linePos(range?.[0] ?? 0).line;
      if (count > MAX) {
        faults.push({ line, key: "", message: `There are more than ${MAX} aliases: write the values themselves.` });
        return visit.BREAK;
      }
      if (anchors.has(source)) return undefined;
      const text = `*${source}`.slice(0, MAX_LENGTH);
      const message = `${codeSpan(text)} begins with a star, which YAML takes for an alias: write ${codeSpan(JSON.stringify(text))}, in quotes.`;
      faults.push({ line, key: "", message });
      return undefined;
    },
  });
  return faults;
}
