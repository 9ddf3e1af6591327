import { ownStateFolder } from "./app/own-state.ts";
import { ENDING_SIGNALS } from "./data/cancellation.ts";
import { isMagisError } from "./data/error.ts";
import { claimEnvFile } from "./settings/environment/own-env-file.ts";
import { type Environment, inspectConfig, readConfig } from "./settings/environment/read-config.ts";

/**
 * Runs the bot until a signal ends the process; registers an app first if none is configured. When it cannot start,
 * ends the process with 1 and a sentence.
 */
export async function serve(given: Environment): Promise<void> {
  const envFile = claimEnvFile(ownStateFolder(given));
  try {
    const { hasApp } = inspectConfig(envFile, given);
    const environment = hasApp ? given : await (await import("./commands/setup/setup-command.ts")).registerFirst(given);
    // Report errors in it before loading the bot.
    readConfig(envFile, environment);
    const { startBot } = await import("./app/start-bot.ts");
    // It may be closed before the bot has started.
    const unread = new Promise<void>((resolve) => process.stdout.once("error", () => resolve()));
    const { stop } = await startBot(environment);
    const end = (why: string, exitCode = 0) => stop(why).then(() => process.exit(exitCode));
    for (const signal of ENDING_SIGNALS) process.once(signal, () => void end(signal));
    // Nobody reads the log any more. Exit with 1, so that a service manager starts the bot again.
    void unread.then(() => end("standard output was closed", 1));
  } catch (error) {
    const message = isMagisError(error) ? error.message : String((error as Error)?.stack ?? error);
    process.stderr.write(`MAGIS cannot start.\n${message}\n`);
    process.exit(1);
  }
}
