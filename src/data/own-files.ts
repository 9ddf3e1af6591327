/** Files that come with the program: prompts, pages, lists, the manifest. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of package.json, whether the program runs from `src`, `dist` or `build/src`. */
export const OWN_FOLDER = ownFolder();

export function ownVersion(): string {
  const text = readFileSync(path.join(OWN_FOLDER, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Each list is read once. */
const read = new Map<string, readonly string[]>();

/** The lines of `lists/NAME.txt`, which names other people's files or words; anybody can add a line to it. */
export function readList(name: string): readonly string[] {
  const lines = read.get(name) ?? linesOf(readFileSync(path.join(OWN_FOLDER, "lists", `${name}.txt`), "utf8"));
  read.set(name, lines);
  return lines;
}

/** The words of the lines `KIND: word word …` of a list, line by line. */
export const readWords = (name: string, kind: string): readonly (readonly string[])[] =>
  readList(name)
    .filter((line) => line.startsWith(`${kind}: `))
    .map((line) => line.slice(kind.length + 2).split(" "));

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

function ownFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json")) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}
