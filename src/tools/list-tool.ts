import { z } from "zod";
import type { Tool } from "../llm/toolset.ts";
import { defineTool, type ToolContext } from "./context.ts";
import { countLeftOut } from "./lookups/left-out.ts";
import { resolvePath, unknownPath } from "./lookups/paths.ts";

const MAX_DEPTH = 5;

const shape = z.object({
  path: z.string().optional(),
  depth: z.int().optional().describe(`levels to open, 1 to ${MAX_DEPTH}`),
});

/** `list`: what a folder holds. */
export function createListTool({ files, limits }: ToolContext): Tool {
  return defineTool({
    name: "list",
    description: "Files and folders in a folder, or at the top.",
    shape,
    run: async ({ path: written = "", depth = 1 }) => {
      const resolved = resolvePath(written);
      if ("reason" in resolved) return resolved.reason;
      const folder = resolved.path;
      if (files.has(folder)) return `${folder} is a file: use read.`;
      const prefix = folder === "" ? "" : `${folder}/`;
      const leftOut = files.leftOut.filter(({ path }) => path === folder || path.startsWith(prefix));
      const note = countLeftOut(leftOut);
      if (!files.hasFolder(folder)) return note || unknownPath(files, folder);
      const below = files.paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      if (below.length === 0) return ["There are no files that may be seen.", ...(note ? [note] : [])].join("\n");
      const entries = entriesOf(below, Math.min(MAX_DEPTH, Math.max(1, depth)));
      const head = `${prefix || "The repository"} (${below.length} ${below.length === 1 ? "file" : "files"})`;
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
