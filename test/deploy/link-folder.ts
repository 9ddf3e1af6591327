import { copyFileSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A copy of a package's folder without the packages in it, its files linked where the file system lets us. */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) linkFolder(source, target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // Another disk, or somebody else's file.
    copyFileSync(source, target);
  }
}
