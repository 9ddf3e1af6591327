import { chmod, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../../data/error.ts";

export interface TreeFile {
  /** relative, with slashes */
  path: string;
  content: Uint8Array;
  executable: boolean;
}

export interface TreeLink {
  /** relative, with slashes */
  path: string;
  target: string;
}

export interface Tree {
  files: AsyncIterable<TreeFile>;
  links: readonly TreeLink[];
  /** further folders to make; relative, with slashes */
  folders: readonly string[];
}

/**
 * Writes a commit's tree into a new, empty folder. Links come last, so nothing is written through one. Left out are
 * links that lead out of the folder, however indirectly, and names that clash with an earlier one (on some file
 * systems, names that differ only in case). Throws ANSWER_INVALID for a path that leads out of the folder.
 */
export async function writeTree(folder: string, { files, links, folders }: Tree): Promise<void> {
  for (const one of folders) await passing(makeFolder(placeIn(folder, one)));
  for await (const { path: file, content, executable } of files) {
    const place = placeIn(folder, file);
    await passing(writeNew(place, content, executable));
  }
  for (const link of links) await passing(makeFolder(path.dirname(placeIn(folder, link.path))));
  const targets = new Map(links.map(({ path: link, target }) => [link, target]));
  const made: string[] = [];
  for (const { path: link, target } of links) {
    if (!staysInside(link, targets)) continue;
    const place = placeIn(folder, link);
    if (await passing(symlink(target, place))) made.push(place);
  }
  await removeEscaping(folder, made);
}

/** The place of a path of a tree. Throws ANSWER_INVALID for one that leads out of the folder. */
function placeIn(folder: string, file: string): string {
  const place = path.resolve(folder, file);
  if (place.startsWith(`${folder}${path.sep}`)) return place;
  throw new MagisError("ANSWER_INVALID", `${file} is no path in the repository.`);
}

async function makeFolder(place: string): Promise<void> {
  await mkdir(place, { recursive: true });
}

async function writeNew(place: string, content: Uint8Array, executable: boolean): Promise<void> {
  await makeFolder(path.dirname(place));
  await writeFile(place, content, { flag: "wx" });
  if (executable) await chmod(place, 0o755);
}

const OCCUPIED = new Set(["EEXIST", "ENOTDIR", "EISDIR"]);

/** False when something else is already there. */
async function passing(done: Promise<unknown>): Promise<boolean> {
  try {
    await done;
    return true;
  } catch (error) {
    if (OCCUPIED.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** Linux follows as many. */
const MAX_LINKS = 40;

/** Whether a link of a tree ends inside the tree, all links followed as the kernel does. */
function staysInside(link: string, targets: ReadonlyMap<string, string>): boolean {
  const left = link.split("/").reverse();
  const at: string[] = [];
  let followed = 0;
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (at.pop() === undefined) return false;
      continue;
    }
    at.push(part);
    const target = targets.get(at.join("/"));
    if (target === undefined) continue;
    if (path.isAbsolute(target) || target.includes("\0") || ++followed > MAX_LINKS) return false;
    at.pop();
    left.push(...target.split(path.sep === "\\" ? /[\\/]/ : "/").reverse());
  }
  return at.length > 0;
}

/** File systems that equate names follow links that the names alone do not show. */
async function removeEscaping(folder: string, made: readonly string[]): Promise<void> {
  const top = await realpath(folder);
  for (const place of made) {
    const end = await realpath(place).catch(() => undefined);
    if (end !== undefined && !end.startsWith(`${top}${path.sep}`)) await rm(place, { force: true });
  }
}
