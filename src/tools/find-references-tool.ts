import { z } from "zod";
import type { Tool } from "../llm/tool.ts";
import { createPacer } from "./create-pacer.ts";
import { defineTool } from "./define-tool.ts";
import { findHolders, type Holder } from "./find-holders.ts";
import { type FileUses, type FoundUse, findUses } from "./find-uses.ts";
import { selectPaths } from "./select-paths.ts";
import { shorten } from "./shorten.ts";
import { showMatches } from "./show-matches.ts";
import { sourceFirst } from "./source-first.ts";
import { splitName } from "./split-name.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolLimits } from "./tool-limits.ts";

const shape = z.object({
  name: z.string().describe("Exact name; of Class.method only the method's name counts."),
  path: z.string().optional().describe("Only in this file, folder or glob."),
});

/** `find_references`: where a name is used. */
export function createFindReferencesTool(context: ToolContext): Tool {
  return defineTool({
    name: "find_references",
    description:
      "Finds the lines on which a name is used, with the function or class around them; declarations are marked; source files come before tests and documents. It goes by the name alone, not by what it means; comments and strings do not count where the language has a grammar.",
    shape,
    run: async ({ name: written, path }) => {
      const split = splitName(written);
      if (!split) return `${written} is no name: give the name of a declaration, or use search.`;
      const selected = selectPaths(context.files, path);
      if ("reason" in selected) return selected.reason;
      const holders = await findHolders(context, selected.paths, split.name);
      if (holders.length === 0) return `${split.name} stands in none of ${selected.paths.length} files.`;
      const { files, left } = await usesIn(context, sourceFirst(holders), split.name);
      return told(split.name, files, left, context.limits);
    },
  });
}

async function usesIn({ parser, limits }: ToolContext, holders: readonly Holder[], name: string) {
  const pause = createPacer();
  const files: FileUses[] = [];
  let work = 0;
  for (const [index, holder] of holders.entries()) {
    work += holder.text.length;
    if (work > limits.parsedBytes && index > 0) return { files, left: holders.length - index };
    files.push(await findUses(parser, holder, name));
    await pause(holder.text.length * 20);
  }
  return { files, left: 0 };
}

/** Where a grammar told comes first: the rest is documents and configuration, mostly. */
function told(name: string, files: readonly FileUses[], left: number, limits: ToolLimits): string {
  const used = files.filter(({ uses }) => uses.length > 0);
  const ordered = [...used.filter(({ byText }) => !byText), ...used.filter(({ byText }) => byText)];
  const shown = ordered.map(({ path, uses, byText }) => ({
    path,
    lines: uses.map((use) => line(path, use, byText, limits)),
  }));
  const count = used.reduce((sum, { uses }) => sum + uses.length, 0);
  const declarations = used.reduce((sum, { uses }) => sum + uses.filter(({ declares }) => declares).length, 0);
  const head =
    count === 0
      ? `${name} stands in ${files.length} files, but only in comments or strings: use search to see them.`
      : `${count} ${count === 1 ? "line" : "lines"} in ${used.length} ${used.length === 1 ? "file" : "files"}, ${declarations} of them declarations:`;
  const rest = left > 0 ? [`${left} more files hold the name and were not looked at: narrow with path.`] : [];
  return [head, ...(count > 0 ? [showMatches(shown, limits)] : []), ...rest].join("\n");
}

function line(path: string, { line, text, inside, declares }: FoundUse, byText: boolean, limits: ToolLimits): string {
  const marks = [declares ? "declaration" : "", inside ? `in ${inside}` : "", byText ? "text search" : ""];
  const mark = marks.filter((part) => part !== "").join(", ");
  return `${path}:${line}: ${shorten(text.trim(), limits.lineCharacters)}${mark && `  [${mark}]`}`;
}
