import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

export type ProgramEnvironment = Readonly<Record<string, string | undefined>>;

/** Folders in which only the machine's owner puts programs. */
export const SYSTEM_FOLDERS: readonly string[] = [
  "/usr/bin",
  "/bin",
  "/usr/local/bin",
  "/run/wrappers/bin",
  "/run/current-system/sw/bin",
];

/** The absolute path of a program in the first absolute folder that has it; undefined when none does. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  const names = process.platform === "win32" ? [`${name}.exe`, `${name}.com`] : [name];
  const absolute = folders.filter((folder) => path.isAbsolute(folder));
  return absolute.flatMap((folder) => names.map((one) => path.join(folder, one))).find(isProgram);
}

/**
 * The absolute path of a program by its name, from the folders of the search path that belong to the person, not to
 * what they work on (`trustedSearchPath`). When there is none, a path where nothing is, so that starting it fails as
 * usual.
 */
export function programOf(name: string, environment: ProgramEnvironment): string {
  const search = searchPathOf(environment);
  const folders = search === "" ? SYSTEM_FOLDERS : trustedSearchPath(search).split(path.delimiter);
  return findProgram(name, folders) ?? path.resolve(path.parse(process.execPath).root, "nonexistent", name);
}

/** The search path of an environment. Windows ignores the case of its name. */
export function searchPathOf(environment: ProgramEnvironment): string {
  const name = Object.keys(environment).find((one) => one.toUpperCase() === "PATH");
  return (name && environment[name]) || "";
}

/**
 * A search path without entries that lead into the checkout in which a command is given: relative ones (an empty one is
 * the working directory), those below it, and the folders of packages that npm puts first.
 */
export function trustedSearchPath(search: string, here: string = path.resolve()): string {
  const top = checkoutAt(here);
  return search
    .split(path.delimiter)
    .filter((entry) => path.isAbsolute(entry) && !entry.split(/[\\/]/).includes("node_modules") && !isIn(entry, top))
    .join(path.delimiter);
}

/** The checkout around a folder; the folder itself where there is none. */
function checkoutAt(here: string): string {
  for (let at = here; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at;
    if (at === path.dirname(at)) return here;
  }
}

function isIn(entry: string, top: string): boolean {
  // Whoever works in or above their home directory has their own programs below it.
  if (top === path.parse(top).root || `${homedir()}${path.sep}`.startsWith(`${top}${path.sep}`)) return false;
  return [entry, realOf(entry)].some((one) => `${one}${path.sep}`.startsWith(`${realOf(top)}${path.sep}`));
}

function realOf(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return path.resolve(place);
  }
}

function isProgram(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return statSync(place).isFile();
  } catch {
    return false;
  }
}
