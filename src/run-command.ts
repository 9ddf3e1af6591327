import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import isInteractive from "is-interactive";
import { createActionCommand } from "./cli/action-command.ts";
import type { CliCommand, CliContext, CliStream, CommandPlace, ExitCode } from "./cli/cli-command.ts";
import { createDoctorCommand } from "./cli/doctor/doctor-command.ts";
import { createEvalCommand } from "./cli/eval-command.ts";
import { createForgetCommand } from "./cli/forget-command.ts";
import { createResolveCommand } from "./cli/resolve/resolve-command.ts";
import { runCli } from "./cli/run-cli.ts";
import { createSetupCommand } from "./cli/setup/setup-command.ts";
import { createShowCommand } from "./cli/show/show-command.ts";
import { cutText, fitText } from "./cli/terminal-text.ts";
import type { Log } from "./ports/log.ts";

const PACKAGE = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "package.json");

/**
 * Runs one command line, without the program's name, and writes what it says. Gives the exit code. It touches no global of
 * the process: what a process has of them stands in `place`, but for the working directory, which is the process's.
 */
export async function runCommand(args: readonly string[], place: CommandPlace): Promise<ExitCode> {
  const { stdout, stderr, signal } = place;
  const { say, live } = await openTerminal(stderr);
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
  const context: CliContext = {
    version,
    signal,
    progress: say,
    columns: stdout.columns,
    live,
  };
  const { exitCode, text, output } = await runCli(args, commandsOf(place, say), context);
  if (output !== undefined) stdout.write(output);
  if (exitCode !== 0 && text !== "") say(text);
  else if (text !== "") stdout.write(`${text}\n`);
  return exitCode;
}

/** What people read while a command works: lines, and where somebody sits in front of it one that moves. */
async function openTerminal(stderr: CliStream): Promise<Pick<CliContext, "live"> & { say(text: string): void }> {
  const say = (text: string) => void stderr.write(`${fitText(text, stderr.columns)}\n`);
  if (!isInteractive({ stream: stderr })) return { say };
  const { createLogUpdate } = await import("log-update");
  // The cursor stays: what hides it waits for signals of its own.
  const drawn = createLogUpdate(stderr as NodeJS.WriteStream, { showCursor: true });
  return {
    say(text) {
      drawn.clear();
      say(text);
    },
    live: (line) => (line === "" ? drawn.clear() : drawn(cutText(line, (stderr.columns || 80) - 1))),
  };
}

/** What a command needs is loaded when it is given: help and usage faults come at once. */
function commandsOf(place: CommandPlace, say: (text: string) => void): readonly CliCommand[] {
  const { environment } = place;
  // People read it, so only what they should know.
  const log: Log = { info: () => undefined, warn: (_, message) => say(message), error: (_, message) => say(message) };
  return [
    createActionCommand(async (request, cli) =>
      (await import("./wire/action/run-action.ts")).runAction(request, cli, environment),
    ),
    createDoctorCommand(async (request, cli) =>
      (await import("./wire/run-doctor.ts")).runDoctor(request, cli, environment),
    ),
    createEvalCommand(async (options, cli) => (await import("./wire/run-eval.ts")).runEval(options, cli, environment)),
    createForgetCommand(async (request) =>
      (await import("./wire/send-request.ts")).sendRequest(request, environment, log),
    ),
    createResolveCommand(async () => (await import("./wire/resolve/resolve-services.ts")).resolveServices(place, log)),
    createSetupCommand(async ({ port, ...request }, cli) => {
      const { runSetup } = await import("./wire/run-setup.ts");
      return runSetup(request, cli, { place: { host: "127.0.0.1", port }, environment, goesOn: false });
    }, place.startBot),
    createShowCommand(async () => (await import("./wire/send-request.ts")).showServices(place, log)),
    startCommand(place),
  ];
}

/** `magis start`: the bot itself, as `node dist/main.js` starts it. Its log is what is written from then on. */
function startCommand({ startBot }: Pick<CommandPlace, "startBot">): CliCommand {
  return {
    name: "start",
    description: "start the bot, which then waits for webhooks",
    options: [],
    async run() {
      await startBot({});
      return { exitCode: 0, text: "" };
    },
  };
}
