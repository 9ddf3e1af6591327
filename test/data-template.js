import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import vm from "node:vm";
import shareKey from "./share-key.js";

const MAIN = join(import.meta.dirname, "..", "dist", "main.js");
/** Paths on Jest's command line that name suites which start the built bot. */
const STARTS_BOTS = /e2e|commands|bot/;

/**
 * Jest's global set-up: lets the built bot make its embedded database once, so that the scenes of the end-to-end tests
 * begin with a copy instead of making one each. `demo` and the tests of the engine still see a first start. The tests
 * share the bot's key.
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its set-up as a default export
export default async function makeDataTemplate({ testPathPatterns }) {
  if (vm.SourceTextModule === undefined) throw new Error("Run tests by `npm run jest -- PATHS`: Node needs its flags.");
  shareKey();
  const patterns = testPathPatterns?.patterns ?? [];
  if (!existsSync(MAIN) || (patterns.length > 0 && !patterns.some((pattern) => STARTS_BOTS.test(pattern)))) return;
  const folder = await mkdtemp(join(tmpdir(), "magis-template-"));
  const environment = {
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "info",
    MAGIS_DATA_DIR: join(folder, "data"),
    APP_ID: "1",
    WEBHOOK_SECRET: "a-secret-of-the-template",
    ANTHROPIC_API_KEY: "none",
    PRIVATE_KEY: process.env.MAGIS_TEST_KEY,
  };
  const bot = spawn(process.execPath, ["--liftoff-only", "--no-opt", MAIN], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => bot.once("close", resolve));
  let port;
  for await (const line of createInterface({ input: bot.stdout })) {
    port = /"port":(\d+)/.exec(line)?.[1];
    if (line.includes("listening on port")) break;
  }
  // The bot logs this line before it handles signals, and answers only afterwards.
  if (port !== undefined) await fetch(`http://127.0.0.1:${port}/`);
  bot.kill("SIGTERM");
  const code = await ended;
  if (code === 0) process.env.MAGIS_TEST_DATA = join(folder, "data");
  else process.stderr.write(`The bot did not make its database in advance (${code}): each scene now makes its own.\n`);
  globalThis.removeDataTemplate = () => rm(folder, { recursive: true, force: true });
}
