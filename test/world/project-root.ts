import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of package.json, found by walking up from this file. Data files are read from there, so that the world
 * also works when its TypeScript is compiled to another folder.
 */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("no package.json above the test world");
    folder = parent;
  }
  return folder;
}
