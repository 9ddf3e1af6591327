import { z } from "zod";
import type { Tool } from "../../models/toolset.ts";
import { figure } from "../../text/counted.ts";
import { defineTool, type ToolLimits, type ToolOptions } from "./define-tool.ts";
import type { FileUses, FoundReferences, FoundUse } from "./lookups/find-references.ts";
import type { Lookups } from "./lookups/lookups.ts";
import { type FileMatches, shorten, showMatches, withoutSeen } from "./matches.ts";

const shape = z.object({
  name: z.string(),
  path: z.string().optional(),
});

/** `find_references`: where a name is used. */
export function createFindReferencesTool(lookups: Lookups, options: ToolOptions): Tool {
  return defineTool({
    name: "find_references",
    description: "Lines of code that use a name, and the function that each is in.",
    shape,
    run: async (question) => {
      const found = await lookups.findReferences(question);
      if ("reason" in found) return found.reason;
      const { name, files, meant } = found;
      const { note = "", ifNothing = note } = meant;
      if (files.length === 0)
        return `${name} stands in none of ${figure(meant.paths.length, "file")}.${ifNothing && `\n${ifNothing}`}`;
      return `${inWords(found, options)}${note && `\n${note}`}`;
    },
  });
}

function inWords({ name, files, left }: FoundReferences, { limits, seen }: ToolOptions): string {
  const used = files.filter(({ uses }) => uses.length > 0);
  const rest = left > 0 ? [`${left} more files hold the name and were not looked at: narrow with path.`] : [];
  if (used.length === 0) {
    const head = `${name} stands in ${files.length} files, but only in comments or strings: use search to see them.`;
    return [head, ...rest].join("\n");
  }
  const lines = used.flatMap(({ uses }) => uses);
  const declarations = lines.filter(({ declares }) => declares).length;
  const where = `${figure(lines.length, "line")} in ${figure(used.length, "file")}`;
  const unseen = withoutSeen(useLines(used, limits), seen);
  const shown = [showMatches(unseen.files, limits), unseen.note].filter((text) => text !== "");
  return [`${where}, ${declarations} of them declarations:`, ...shown, ...rest].join("\n");
}

/** Puts uses into lines to show. Parsed files come first: the others are mostly documents and configuration. */
export function useLines(files: readonly FileUses[], limits: ToolLimits): readonly FileMatches[] {
  const used = files.filter(({ uses }) => uses.length > 0);
  const ordered = [...used.filter(({ byText }) => !byText), ...used.filter(({ byText }) => byText)];
  return ordered.map(({ path, uses, byText }) => ({ path, lines: uses.map((use) => line(use, byText, limits)) }));
}

function line({ line, text, inside, declares }: FoundUse, byText: boolean, limits: ToolLimits) {
  const marks = [declares ? "declaration" : "", inside ? `in ${inside}` : "", byText ? "text search" : ""];
  const mark = marks.filter((part) => part !== "").join(", ");
  return { line, at: `${line}`, text: `${shorten(text.trim(), limits.lineCharacters)}${mark && `  [${mark}]`}` };
}
