import type { CliCommand } from "./cli-command.ts";

/**
 * `magis start`: the bot itself, in this process, as `node dist/main.js` starts it. `start` begins it and does not wait for
 * its end; from then on its log is what is written, and it answers signals and ends the process by itself.
 */
export function createStartCommand(start: () => Promise<void>): CliCommand {
  return {
    name: "start",
    description: "start the bot, which then waits for webhooks",
    options: [],
    async run() {
      await start();
      return { exitCode: 0, text: "" };
    },
  };
}
