import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { temporaryFolder } from "../test/leave-nothing/leave-nothing.ts";
import { projectRoot } from "../test/world/project-root.ts";

/** Runs `magis eval` in `folder` as a user would, with a model at `url`. Throws when it does not end with 0. */
export async function runMagisEval(
  folder: string,
  url: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [join(projectRoot(), "dist", "cli.js"), "eval", ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ANTHROPIC_API_KEY: "scripted",
      ANTHROPIC_BASE_URL: url,
      ...temporaryFolder(),
      ...environment,
    },
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`magis eval ended with ${code}.`);
}
