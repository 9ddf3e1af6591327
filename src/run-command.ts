import isInteractive from "is-interactive";
import { createActionCommand } from "./cli/action-command.ts";
import { createBackupCommand, createRestoreCommand } from "./cli/backup-commands.ts";
import type { CliCommand, CliContext, CliStream, CommandPlace, ExitCode } from "./cli/cli-command.ts";
import { createDoctorCommand } from "./cli/doctor/doctor-command.ts";
import { createForgetCommand } from "./cli/forget-command.ts";
import { createResolveCommand } from "./cli/resolve/resolve-command.ts";
import { runCli } from "./cli/run-cli.ts";
import { createSetupCommand } from "./cli/setup/setup-command.ts";
import { createCostsCommand } from "./cli/show/costs-command.ts";
import { createShowCommand } from "./cli/show/show-command.ts";
import { createStatsCommand } from "./cli/show/stats-command.ts";
import { cutText, fitText } from "./cli/terminal-text.ts";
import { ownVersion } from "./model/own-files.ts";
import type { Log } from "./ports/log.ts";
import { createInitCommand } from "./wire/init-command.ts";

/**
 * Runs one command line (without the program's name), writes its output and gives the exit code. Uses no globals of the
 * process, except for its working directory: `place` holds the others. `program` and `commands`: those of `magis`, if
 * absent.
 */
export async function runCommand(
  args: readonly string[],
  place: CommandPlace,
  program?: CliContext["program"],
  commands = commandsOf,
): Promise<ExitCode> {
  const { stdout, stderr, signal } = place;
  const { say, live } = await openTerminal(stderr);
  const context: CliContext = {
    program,
    version: ownVersion(),
    signal,
    progress: say,
    columns: stdout.columns,
    live,
  };
  const { exitCode, text, output } = await runCli(args, commands(place, say), context);
  if (output !== undefined) stdout.write(output);
  if (exitCode !== 0 && text !== "") say(text);
  else if (text !== "") stdout.write(`${text}\n`);
  return exitCode;
}

/** Output for people while a command works: lines, and on a terminal one that changes. */
async function openTerminal(stderr: CliStream): Promise<Pick<CliContext, "live"> & { say(text: string): void }> {
  const say = (text: string) => void stderr.write(`${fitText(text, stderr.columns)}\n`);
  if (!isInteractive({ stream: stderr })) return { say };
  const { createLogUpdate } = await import("log-update");
  // Keep the cursor, because hiding it would install signal handlers.
  const drawn = createLogUpdate(stderr as NodeJS.WriteStream, { showCursor: true });
  return {
    say(text) {
      drawn.clear();
      say(text);
    },
    live: (line) => (line === "" ? drawn.clear() : drawn(cutText(line, (stderr.columns || 80) - 1))),
  };
}

/** Loads a command's code only when it is given, so that help and usage errors are immediate. */
function commandsOf(place: CommandPlace, say: (text: string) => void): readonly CliCommand[] {
  const { environment } = place;
  // For people, so only warnings and errors.
  const log: Log = { info: () => undefined, warn: (_, message) => say(message), error: (_, message) => say(message) };
  return [
    createActionCommand(async (request, cli) =>
      (await import("./wire/action/run-action.ts")).runAction(request, cli, environment),
    ),
    createBackupCommand(async (file) => (await import("./wire/back-up.ts")).backUp(file, environment, log)),
    createCostsCommand(async () => (await import("./wire/send-request.ts")).ledgerServices(place, log)),
    createDoctorCommand(async (request, cli) =>
      (await import("./wire/run-doctor.ts")).runDoctor(request, cli, environment),
    ),
    createForgetCommand(async (request) =>
      (await import("./wire/send-request.ts")).sendRequest(request, environment, log),
    ),
    createInitCommand(environment),
    createResolveCommand(async () => (await import("./wire/resolve/resolve-services.ts")).resolveServices(place, log)),
    createRestoreCommand(async (file) => (await import("./wire/back-up.ts")).restore(file, environment, log)),
    createSetupCommand(async ({ port, ...request }, cli) => {
      const { runSetup } = await import("./wire/run-setup.ts");
      return runSetup(request, cli, { place: { host: "127.0.0.1", port }, environment, goesOn: false });
    }, place.startBot),
    createShowCommand(async () => (await import("./wire/send-request.ts")).showServices(place, log)),
    startCommand(place),
    createStatsCommand(async () => (await import("./wire/send-request.ts")).ledgerServices(place, log)),
  ];
}

/** `magis start`: the bot itself, like `node dist/main.js`. From then on only its log is written. */
function startCommand({ startBot }: CommandPlace): CliCommand {
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
