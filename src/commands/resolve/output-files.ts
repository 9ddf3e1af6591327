import { constants } from "node:fs";
import { access, lstat, open, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isMagisError, MagisError } from "../../data/error.ts";
import { fileFault } from "../../data/file-faults.ts";

/** Throws CONFIGURATION_INVALID when the file would not be writable. Writes nothing. */
export async function checkWritable(file: string): Promise<void> {
  try {
    const there = await stat(file).catch(() => undefined);
    if (there?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    await access(there ? file : path.dirname(path.resolve(file)), constants.W_OK);
  } catch (error) {
    throw notWritten(file, error);
  }
  await refuseLinks(file);
}

/** Only the owner may read and write. */
const PRIVATE = 0o600;

/**
 * Writes a file for its owner alone, also over an existing public one: a record holds an issue, code and answers. Throws
 * CONFIGURATION_INVALID.
 */
export async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await refuseLinks(file);
    const handle = await open(file, "w", PRIVATE);
    try {
      // A terminal or a pipe keeps its permissions.
      if ((await handle.stat()).isFile()) await handle.chmod(PRIVATE);
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw isMagisError(error) ? error : notWritten(file, error);
  }
}

/**
 * Refuses links out of the working directory: a checkout may hold one, under a name that people are likely to use. A
 * path below the working directory must really lead there. Ignores terminals and pipes. Throws CONFIGURATION_INVALID.
 */
async function refuseLinks(file: string): Promise<void> {
  const named = path.resolve(file);
  const here = path.resolve();
  if (!named.startsWith(`${here}${path.sep}`)) return;
  const target = await stat(named).catch(() => undefined);
  if (target !== undefined && !target.isFile()) return;
  const folder = await realpath(path.dirname(named)).catch(() => undefined);
  const isLink = (await lstat(named).catch(() => undefined))?.isSymbolicLink() === true;
  const lies = folder === undefined ? undefined : path.join(folder, path.basename(named));
  if (!isLink && (lies === undefined || lies === path.join(await realpath(here), path.relative(here, named)))) return;
  const message = `${file} leads out of its folder by a link: name another file.`;
  throw new MagisError("CONFIGURATION_INVALID", message);
}

function notWritten(file: string, error: unknown): MagisError {
  const message = `${file} cannot be written: ${fileFault(error)}. Name another file.`;
  return new MagisError("CONFIGURATION_INVALID", message, {}, error);
}
