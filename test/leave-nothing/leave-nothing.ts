import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { projectRoot } from "../world/project-root.ts";

/** How a program ends whose reader has closed the pipe: 128 and the number of SIGPIPE. */
const BROKEN_PIPE = 141;

/**
 * Sees to it that nothing of this program is left when it ends, be it by itself, by an error, a closed pipe (`| head`), a
 * signal or kill -9: a small process of its own waits for the end, ends what this one has started (on Linux) and removes the
 * folder that is TMPDIR from here on. A child that is given an environment of its own is given `temporaryFolder()` too.
 */
export async function leaveNothing(name: string): Promise<void> {
  const keeper = spawn(process.execPath, [join(projectRoot(), "test", "leave-nothing", "keeper.js"), name], {
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  for await (const folder of createInterface({ input: keeper.stdout })) {
    for (const variable of ["TMPDIR", "TEMP", "TMP"]) process.env[variable] = folder;
    break;
  }
  keeper.stdout.destroy();
  keeper.unref();
  (keeper.stdin as unknown as Socket).unref();
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(BROKEN_PIPE);
      throw error;
    });
  }
}

/** Where temporary files are to be, for the environment of a process that does not get this one's. */
export function temporaryFolder(): Readonly<Record<string, string>> {
  const { TMPDIR } = process.env;
  return TMPDIR === undefined ? {} : { TMPDIR };
}
