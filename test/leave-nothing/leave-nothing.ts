import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { projectRoot } from "../world/project-root.ts";

/** The exit code after the reader closed the pipe: 128 plus the number of SIGPIPE. */
const BROKEN_PIPE = 141;

/**
 * Makes sure that nothing of this program is left when it ends: by itself, by an error, a closed pipe (`| head`), a
 * signal or kill -9. A small separate process waits for the end, ends this one's children (on Linux) and removes the
 * folder that becomes TMPDIR here. Give `temporaryFolder()` to a child with its own environment.
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

/** Variables for the environment of a child that does not inherit this process's. */
export function temporaryFolder(): Readonly<Record<string, string>> {
  const { TMPDIR } = process.env;
  return TMPDIR === undefined ? {} : { TMPDIR };
}
