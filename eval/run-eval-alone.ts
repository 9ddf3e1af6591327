import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../test/leave-nothing/leave-nothing.ts";
import { projectRoot } from "../test/world/project-root.ts";

/** What `npm run eval` runs. */
export const EVAL = [
  "--no-warnings",
  "--import",
  pathToFileURL(join(projectRoot(), "test", "load-typescript.js")).href,
  join(projectRoot(), "eval", "main.ts"),
];

/** Runs the evaluation in `folder` in a process of its own, with a model at `url`. Throws when it does not end with 0. */
export async function runEvalAlone(
  folder: string,
  url: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [...EVAL, ...words], {
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
  if (code !== 0) throw new Error(`npm run eval ended with ${code}.`);
}
