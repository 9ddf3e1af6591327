#!/usr/bin/env node
import { searchPathOf, trustedSearchPath } from "./adapters/programs.ts";
import { isGuarded, runGuarded } from "./cli/job-output.ts";
import { processEnvironment } from "./config/environment/read-config.ts";
import { ENDING_SIGNALS } from "./model/cancellation.ts";
import { runCommand } from "./run-command.ts";

/** npm hands on what the terminal has sent already: what comes so soon is no second Ctrl-C. */
const SAME_MS = 500;

const { stdin, stdout, stderr } = process;

if (process.argv[2] === "action" && !isGuarded())
  process.exitCode = await runGuarded(process.argv.slice(1), stdout, stderr);
else await run();

async function run(): Promise<void> {
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

  // A copy: a check that a person has chosen finds what their search path leads to.
  const environment = { ...processEnvironment() };

  // Nothing that is started by its name, by a package too, comes from the checkout in which a command is given.
  Object.assign(processEnvironment(), {
    PATH: trustedSearchPath(searchPathOf(environment)),
    NoDefaultCurrentDirectoryInExePath: "1",
  });

  // Its guard was killed, which cannot be handed on: this process ends as suddenly.
  process.on("disconnect", () => process.exit(1));
  process.channel?.unref();

  process.exitCode = await runCommand(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    environment,
    signal: interrupt.signal,
    startBot: async (chosen) => (await import("./wire/serve.ts")).serve({ ...environment, ...chosen }),
  });
}
