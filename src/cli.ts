#!/usr/bin/env node
import { searchPathOf, trustedSearchPath } from "./adapters/programs.ts";
import { processEnvironment } from "./config/environment/read-config.ts";
import { ENDING_SIGNALS } from "./model/cancellation.ts";
import { runCommand } from "./run-command.ts";

/** npm hands on what the terminal has sent already: what comes so soon is no second Ctrl-C. */
const SAME_MS = 500;

const interrupt = new AbortController();

let first: number | undefined;

for (const signal of ENDING_SIGNALS) {
  process.on(signal, () => {
    first ??= performance.now();
    interrupt.abort();
    if (performance.now() - first > SAME_MS) process.exit(130);
  });
}

// Who reads only the beginning (`| head`) wants no more, and is told nothing more.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    interrupt.abort();
  });
}

const { stdin, stdout, stderr } = process;

// A copy: a check that a person has chosen finds what their search path leads to.
const environment = { ...processEnvironment() };

// Nothing that is started by its name, by a package too, comes from the checkout in which a command is given.
Object.assign(processEnvironment(), {
  PATH: trustedSearchPath(searchPathOf(environment)),
  NoDefaultCurrentDirectoryInExePath: "1",
});

// Node prints the end of a job past its streams, where an order to the runner could stand in a message.
if (process.argv[2] === "action") {
  process.removeAllListeners("warning").on("warning", (warning) => void process.stderr.write(`${warning.message}\n`));
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1));
  });
}

process.exitCode = await runCommand(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  environment,
  signal: interrupt.signal,
  startBot: async (chosen) => (await import("./wire/serve.ts")).serve({ ...environment, ...chosen }),
});
