import { appendFileSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { OWN_FOLDER } from "../../data/own-files.ts";

/** A `.env`, and whether it is the operator's own, which decides what it may set. */
export interface EnvFile {
  path: string;
  isOwn: boolean;
}

const NAME = ".env";

/** In the state folder: the folders where this person has set up a server, one a line. */
const LIST = "servers";

/**
 * The `.env` of the working directory. It is the operator's own if the same person set up or started a server there
 * (`claimEnvFile`), if the environment's MAGIS_DATA_DIR is there, or in the checkout that this program runs from. A
 * command may run anywhere else, too: in a checkout of somebody else's repository, for one.
 * @param state this person's state folder, if there is one
 */
export function workingEnvFile(
  environment: Readonly<Record<string, string | undefined>>,
  state: string | undefined,
): EnvFile {
  const folder = realPath(path.dirname(path.resolve(NAME)));
  const dataDir = environment.MAGIS_DATA_DIR?.trim();
  // Whatever runs from the program's own folder trusts it already.
  const own = [OWN_FOLDER];
  if (dataDir) own.push(path.resolve(dataDir));
  if (state !== undefined) own.push(...linesOf(path.join(state, LIST)));
  return { path: NAME, isOwn: folder !== undefined && own.some((one) => realPath(one) === folder) };
}

/**
 * The `.env` of the working directory for a server that is set up or started there. From now on it is the operator's
 * own.
 */
export function claimEnvFile(state: string | undefined): EnvFile {
  const folder = realPath(path.dirname(path.resolve(NAME)));
  if (state !== undefined && folder !== undefined && !/[\r\n]/.test(folder)) {
    const list = path.join(state, LIST);
    try {
      if (!linesOf(list).includes(folder)) {
        mkdirSync(state, { recursive: true, mode: 0o700 });
        appendFileSync(list, `${folder}\n`, { mode: 0o600 });
      }
    } catch {
      // A server works without it; commands given there then want their variables in the environment.
    }
  }
  return { path: NAME, isOwn: true };
}

function realPath(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch {
    return undefined;
  }
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => path.isAbsolute(line));
  } catch {
    return [];
  }
}
