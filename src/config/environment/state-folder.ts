import path from "node:path";
import type { Environment } from "./read-config.ts";

/** Whose state: where the process runs, and the home directory that the system knows. */
interface Machine {
  readonly platform: NodeJS.Platform;
  /** "" where there is none */
  readonly home: string;
}

/**
 * The folder for what programs keep of one person on this machine and nobody has to back up, and in it ours: where the
 * XDG base directories say, which hold wherever they are set, or where the system has it. Undefined where nobody can
 * tell.
 */
export function stateFolder(environment: Environment, { platform, home: known }: Machine): string | undefined {
  const { join, isAbsolute } = platform === "win32" ? path.win32 : path.posix;
  const { XDG_STATE_HOME: state = "", LOCALAPPDATA: local = "", HOME = "" } = environment;
  const home = platform !== "win32" && isAbsolute(HOME) ? HOME : known;
  // Paths that are not absolute are to be ignored, says the specification.
  const folders = [state, platform === "win32" ? local : "", home && join(home, ...belowHome(platform))];
  const folder = folders.find((one) => isAbsolute(one));
  return folder && join(folder, "magis");
}

function belowHome(platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") return ["AppData", "Local"];
  return platform === "darwin" ? ["Library", "Application Support"] : [".local", "state"];
}
