import { isMagisError } from "./model/error.ts";
import { registerFirst } from "./wire/run-setup.ts";
import { startBot } from "./wire/start-bot.ts";

async function start(): Promise<void> {
  await registerFirst();
  const { stop } = await startBot();
  const end = (signal: string) => stop(signal).then(() => process.exit(0));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void end(signal));
}

start().catch((error: unknown) => {
  const message = isMagisError(error) ? error.message : String((error as Error)?.stack ?? error);
  process.stderr.write(`MAGIS cannot start.\n${message}\n`);
  process.exit(1);
});
