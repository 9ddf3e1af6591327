import path from "node:path";
import type { Environment } from "./read-config.ts";

/** The system that the process runs on, and the home directory that it knows. */
interface Machine {
  platform: NodeJS.Platform;
  /** "" when there is none */
  home: string;
}

/**
 * Our folder for what programs keep for one person on this machine and nobody has to back up: by the XDG base
 * directories if they are set, else where the system puts it. Undefined when neither says.
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
