import type { CommandPlace, ExitCode } from "./commands/cli-command.ts";
import { ENDING_SIGNALS } from "./data/cancellation.ts";
import { searchPathOf, trustedSearchPath } from "./git/programs.ts";
import { credentialVariables, pipedVariables } from "./settings/environment/piped-secrets.ts";
import { processEnvironment } from "./settings/environment/read-config.ts";

/** npm forwards the signal that the terminal sent as well, so one that comes this soon is not a second Ctrl-C. */
const SAME_MS = 500;

/** Runs a command line as this process: with its signals, streams and environment. Sets the exit code. */
export async function runProgram(
  run: (args: readonly string[], place: CommandPlace) => Promise<ExitCode>,
): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const interrupt = new AbortController();

  let first: number | undefined;

  for (const signal of ENDING_SIGNALS) {
    process.on(signal, () => {
      first ??= performance.now();
      interrupt.abort();
      if (performance.now() - first > SAME_MS) process.exit(130);
    });
  }

  // A reader that takes only the beginning (`| head`) wants no more output.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      interrupt.abort();
    });
  }

  Object.assign(processEnvironment(), pipedVariables(processEnvironment()));
  Object.assign(processEnvironment(), credentialVariables(processEnvironment()));

  // A copy, so that a check chosen by the person still uses their own search path.
  const environment = { ...processEnvironment() };

  // Programs started by name, also by packages, must never come from the checkout that we run in.
  Object.assign(processEnvironment(), {
    PATH: trustedSearchPath(searchPathOf(environment)),
    NoDefaultCurrentDirectoryInExePath: "1",
  });

  // The guard was killed, which sends no signal here, so end as suddenly.
  process.on("disconnect", () => process.exit(1));
  process.channel?.unref();

  process.exitCode = await run(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    environment,
    signal: interrupt.signal,
    startBot: async (chosen) => (await import("./serve.ts")).serve({ ...environment, ...chosen }),
  });
}
