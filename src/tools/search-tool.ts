import { z } from "zod";
import type { Tool } from "../llm/tool.ts";
import { compilePattern, type LinePattern } from "./compile-pattern.ts";
import { defineTool } from "./define-tool.ts";
import { type SearchedFiles, searchFiles } from "./search-files.ts";
import { selectPaths } from "./select-paths.ts";
import { shorten } from "./shorten.ts";
import { showAround } from "./show-around.ts";
import { showMatches } from "./show-matches.ts";
import type { ToolContext } from "./tool-context.ts";

const MAX_AROUND = 20;

const shape = z.object({
  pattern: z.string().describe("Regular expression (RE2: no lookaround, no back references), matched line by line."),
  path: z.string().optional().describe("Only in this file, folder, or glob such as src/**/*.ts or *.py."),
  ignoreCase: z.boolean().optional().describe("Default: false."),
  around: z
    .int()
    .min(0)
    .max(MAX_AROUND)
    .optional()
    .describe("Lines to show before and after each match; default: none."),
});

/** `search`: lines that match a regular expression. */
export function createSearchTool(context: ToolContext): Tool {
  return defineTool({
    name: "search",
    description:
      "Finds the lines that match a regular expression, as path:line: text. Binary and very large files are left out; long results are cut and say what was left out.",
    shape,
    run: async ({ pattern, path, ignoreCase = false, around = 0 }) => {
      const selected = selectPaths(context.files, path);
      if ("reason" in selected) return selected.reason;
      const compiled = compilePattern(pattern, ignoreCase);
      if ("reason" in compiled) return compiled.reason;
      const first = await searchFiles(context, selected.paths, compiled);
      const notes = compiled.note ? [compiled.note] : [];
      if (first.files.length > 0 || compiled.note || !/[()[\]{}*+?.^$|\\]/.test(pattern)) {
        return told(context, first, { all: selected.paths.length, notes, around });
      }
      // `foo(bar)` is more often meant as it stands than as a group.
      const plain = compilePattern(pattern, ignoreCase, true) as LinePattern;
      const second = await searchFiles(context, selected.paths, plain);
      if (second.files.length === 0) return told(context, first, { all: selected.paths.length, notes, around });
      const note = "No line matches as a regular expression; as plain text these do.";
      return told(context, second, { all: selected.paths.length, notes: [note], around });
    },
  });
}

async function told(
  context: ToolContext,
  { files, looked }: SearchedFiles,
  { all, notes, around }: { readonly all: number; readonly notes: readonly string[]; readonly around: number },
): Promise<string> {
  const { limits } = context;
  const stopped = looked < all ? [`Stopped after ${looked} of ${all} files, in path order: narrow with path.`] : [];
  const count = files.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count === 0) return [...notes, `No line matches in ${looked} files.`, ...stopped].join("\n");
  const head = `${count} ${count === 1 ? "line" : "lines"} in ${files.length} of ${looked} files:`;
  if (around > 0) return [...notes, head, await showAround(context, files, around), ...stopped].join("\n");
  const shown = files.map(({ path, lines }) => ({
    path,
    lines: lines.map(({ line, text }) => `${path}:${line}: ${shorten(text, limits.lineCharacters)}`),
  }));
  return [...notes, head, showMatches(shown, limits), ...stopped].join("\n");
}
