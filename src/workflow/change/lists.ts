import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Each list is read once. */
const read = new Map<string, readonly string[]>();

/** The lines of a file of `lists`, which names other people's files; anybody can add a line to it. */
export function readList(name: "check-files" | "protected-files" | "recorded-results"): readonly string[] {
  const lines = read.get(name) ?? linesOf(readFileSync(path.join(ownFolder(), "lists", `${name}.txt`), "utf8"));
  read.set(name, lines);
  return lines;
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

/** The package's own folder: the program may run from `src`, `dist` or `build/src`. */
function ownFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json")) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}
