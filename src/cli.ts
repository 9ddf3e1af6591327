#!/usr/bin/env node
import { searchPathOf, trustedSearchPath } from "./adapters/programs.ts";
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

// A copy: a check that a person has chosen finds what their search path leads to.
const environment = { ...processEnvironment() };

// Nothing that is started by its name, by a package too, comes from the checkout in which a command is given.
Object.assign(processEnvironment(), {
  PATH: trustedSearchPath(searchPathOf(environment)),
  NoDefaultCurrentDirectoryInExePath: "1",
});

process.exitCode = await runCommand(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  environment,
  signal: interrupt.signal,
  startBot: async (chosen) => (await import("./wire/serve.ts")).serve({ ...environment, ...chosen }),
});
