import { homedir } from "node:os";
import path from "node:path";
import type { Environment } from "../settings/environment/read-config.ts";
import { stateFolder } from "../settings/environment/state-folder.ts";
import { createKeptRuns, type KeptRuns } from "./kept-runs.ts";

/** This person's state folder; undefined when there is none. */
export const ownStateFolder = (environment: Environment): string | undefined =>
  stateFolder(environment, { platform: process.platform, home: homeOf() });

/** The command line's own runs, kept in this person's state folder; undefined when there is none. */
export function openOwnRuns(environment: Environment, warn: (sentence: string) => void): KeptRuns | undefined {
  const folder = ownStateFolder(environment);
  return folder === undefined ? undefined : createKeptRuns(path.join(folder, "runs"), warn);
}

/** The home folder, or "": a container's user may have none. */
function homeOf(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}
