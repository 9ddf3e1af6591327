import { z } from "zod";
import type { Tool } from "../../models/toolset.ts";
import { defineTool, type ToolOptions } from "./define-tool.ts";
import { countLeftOut } from "./lookups/left-out.ts";
import type { Lookups } from "./lookups/lookups.ts";

const MAX_DEPTH = 5;

const shape = z.object({
  path: z.string().optional(),
  depth: z.int().optional(),
});

/** `list`: what a folder holds. */
export function createListTool(lookups: Lookups, { limits }: ToolOptions): Tool {
  return defineTool({
    name: "list",
    description: "Files and folders in a folder, or at the top.",
    shape,
    run: async ({ path: written, depth = 1 }) => {
      const found = lookups.list(written);
      if ("reason" in found) return found.reason;
      const { prefix, paths, leftOut } = found;
      const note = countLeftOut(leftOut);
      if (paths.length === 0 && prefix !== "") return note;
      if (paths.length === 0) return ["There are no files that may be seen.", ...(note ? [note] : [])].join("\n");
      const entries = entriesOf(paths, Math.min(MAX_DEPTH, Math.max(1, depth)));
      const head = `${prefix || "The repository"} (${paths.length} ${paths.length === 1 ? "file" : "files"})`;
      const room = limits.characters - head.length - note.length;
      return [head, ...cut(entries, limits.entries, room), ...(note ? [`… ${note}`] : [])].join("\n");
    },
  });
}

/** Folders first, then files, each level by name; folders are opened `depth` levels deep. */
function entriesOf(paths: readonly string[], depth: number, indent = "  "): string[] {
  const folders = new Map<string, string[]>();
  const names: string[] = [];
  for (const path of paths) {
    const slash = path.indexOf("/");
    if (slash < 0) {
      names.push(path);
      continue;
    }
    const name = path.slice(0, slash);
    const held = folders.get(name);
    if (held) held.push(path.slice(slash + 1));
    else folders.set(name, [path.slice(slash + 1)]);
  }
  const opened = [...folders].flatMap(([name, held]) => [
    `${indent}${name}/ (${held.length} ${held.length === 1 ? "file" : "files"})`,
    ...(depth > 1 ? entriesOf(held, depth - 1, `${indent}  `) : []),
  ]);
  return [...opened, ...names.map((name) => `${indent}${name}`)];
}

function cut(entries: readonly string[], most: number, characters: number): string[] {
  let room = characters;
  const shown = entries.slice(0, most).filter((entry) => {
    room -= entry.length + 1;
    return room >= 0;
  });
  const left = entries.length - shown.length;
  return left > 0 ? [...shown, `… ${left} more entries not shown: list a folder of them, or with less depth.`] : shown;
}
