import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { typescriptModules } from "./typescript-modules.ts";

/** The names of `needs` that this machine does not have. `tsc` is the project's own, everything else is on the PATH. */
export async function missingTools(needs: readonly string[], path: string): Promise<string[]> {
  const there = await Promise.all(needs.map((tool) => (tool === "tsc" ? typescriptModules() : onPath(tool, path))));
  return needs.filter((_, index) => !there[index]);
}

async function onPath(tool: string, path: string): Promise<boolean> {
  for (const folder of path.split(":")) {
    try {
      await access(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      // the next folder may have it
    }
  }
  return false;
}
