#!/usr/bin/env node
import { processEnvironment } from "./config/environment/read-config.ts";
import { runCommand } from "./run-command.ts";

const interrupt = new AbortController();

process.once("SIGINT", () => interrupt.abort());

process.once("SIGTERM", () => interrupt.abort());

// Who reads only the beginning (`| head`) wants no more.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const { stdin, stdout, stderr } = process;

process.exitCode = await runCommand(process.argv.slice(2), {
  ...{ stdin, stdout, stderr, environment: processEnvironment(), signal: interrupt.signal },
  startBot: async () => void (await import("./main.ts")),
});
