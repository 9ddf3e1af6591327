import { inspectConfig, processEnvironment, readConfig } from "./config/environment/read-config.ts";
import { isMagisError } from "./model/error.ts";
import { DEFAULT_PRICES } from "./model/prices.ts";

const ENV_FILE = ".env";

const APP = ["APP_ID", "PRIVATE_KEY", "PRIVATE_KEY_PATH", "WEBHOOK_SECRET"] as const;

async function start(): Promise<void> {
  const given = processEnvironment();
  const { missing } = inspectConfig(DEFAULT_PRICES, ENV_FILE, given);
  const environment = APP.every((name) => missing(name))
    ? await (await import("./wire/run-setup.ts")).registerFirst(given)
    : given;
  // What is wrong with it is told before all that a bot is made of is loaded.
  readConfig(DEFAULT_PRICES, ENV_FILE, environment);
  const { startBot } = await import("./wire/start-bot.ts");
  const { stop } = await startBot(environment);
  const end = (signal: string) => stop(signal).then(() => process.exit(0));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void end(signal));
}

start().catch((error: unknown) => {
  const message = isMagisError(error) ? error.message : String((error as Error)?.stack ?? error);
  process.stderr.write(`MAGIS cannot start.\n${message}\n`);
  process.exit(1);
});
