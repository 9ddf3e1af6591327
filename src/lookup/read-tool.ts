import { z } from "zod";
import { readText } from "../domain/edit/read-text.ts";
import type { Tool } from "../prompts/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { LookupContext } from "./lookup-context.ts";
import { outlineSymbols } from "./outline-symbols.ts";
import { resolvePath } from "./resolve-path.ts";
import { showLines } from "./show-lines.ts";
import { unknownPath } from "./unknown-path.ts";

const line = z.int();
const shape = z.object({
  path: z.string(),
  start: line.optional().describe("First line, counted from 1."),
  end: line.optional().describe("Last line, inclusive."),
});

/** `read`: lines of a file, numbered as everywhere. */
export function createReadTool(context: LookupContext): Tool {
  const { files, limits } = context;
  return defineTool({
    name: "read",
    description: `Gives lines of a file, each with its number. At most ${limits.lines} lines a call; without start and end a longer file gives its outline (what it declares, with line numbers) to choose from.`,
    shape,
    run: async ({ path: written, start, end }) => {
      const resolved = resolvePath(written);
      if ("reason" in resolved) return resolved.reason;
      const { path } = resolved;
      if (!files.has(path)) {
        return files.hasFolder(path) ? `${path || "The top"} is a folder: use list.` : unknownPath(files, path);
      }
      const bytes = await files.bytes(path);
      const file = bytes && readText(bytes);
      if (!file) return `${path} is no text file, or its content is not at hand.`;
      const { lines } = file;
      if (lines.length === 0) return `${path} is empty.`;
      if (start === undefined && end === undefined && isLong(lines, limits)) {
        return (await outlineSymbols(context, path, lines)) ?? showLines(path, lines, 1, lines.length, limits);
      }
      const from = Math.max(1, start ?? 1);
      const to = Math.min(lines.length, end ?? lines.length);
      if (from > lines.length) return `${path} has ${lines.length} lines: there is no line ${from}.`;
      if (to < from) return `No lines from ${from} to ${end}: end comes before start.`;
      return showLines(path, lines, from, to, limits);
    },
  });
}

function isLong(lines: readonly string[], limits: LookupContext["limits"]): boolean {
  const characters = lines.reduce((sum, text) => sum + text.length + 7, 0);
  return lines.length > limits.lines || characters > limits.readCharacters;
}
