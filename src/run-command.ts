import isInteractive from "is-interactive";
import type {
  CliCommand,
  CliContext,
  CliStream,
  CommandPlace,
  ExitCode,
  NamedCommand,
} from "./commands/cli-command.ts";
import { runCli } from "./commands/run-cli.ts";
import { ownVersion } from "./data/own-files.ts";
import { cutText, fitText } from "./text/terminal-text.ts";

/** The commands of `magis`. Each module is loaded when its command is called, so that help is immediate. */
const COMMANDS: readonly NamedCommand[] = [
  {
    name: "action",
    description: "resolve what a job of GitHub Actions was started for",
    load: async () => (await import("./commands/action/action-command.ts")).actionCommand,
  },
  {
    name: "backup",
    operand: { name: "FILE", description: "a new file, which only you can read", required: true },
    description: "write the bot's database to a file, also while it runs",
    load: async () => (await import("./commands/backup-commands.ts")).backupCommand,
  },
  {
    name: "costs",
    description: "show what the bot has cost, by month, repository, person or model",
    load: async () => (await import("./commands/show/costs-command.ts")).costsCommand,
  },
  {
    name: "doctor",
    operand: { name: "OWNER/REPO", description: "a repository to be looked at besides", required: false },
    description: "check configuration, keys, app registration, webhook and database",
    load: async () => (await import("./commands/doctor/doctor-command.ts")).doctorCommand,
  },
  {
    name: "forget",
    operand: { name: "OWNER/REPO", description: "the repository, in every installation, or @LOGIN", required: true },
    description: "delete summaries of a repository's files, and names from the ledger",
    load: async () => (await import("./commands/forget-command.ts")).forgetCommand,
  },
  {
    name: "init",
    operand: {
      name: "FOLDER",
      description: "a folder of your repository; the current one without it",
      required: false,
    },
    description: "write the workflow of the Action and a .github/magis.yml to begin with",
    load: async () => (await import("./commands/init-command.ts")).initCommand,
  },
  {
    name: "resolve",
    operand: { name: "OWNER/REPO#N", description: "the issue, also by its address", required: false },
    description: "resolve an issue: print the patch, or open a pull request",
    load: async () => (await import("./commands/resolve/resolve-command.ts")).resolveCommand,
  },
  {
    name: "restore",
    operand: { name: "FILE", description: "what magis backup wrote", required: true },
    description: "make the bot's database from a backup, before it starts",
    load: async () => (await import("./commands/backup-commands.ts")).restoreCommand,
  },
  {
    name: "setup",
    description: "register the GitHub App in a browser, write .env, create the label, start the bot",
    load: async () => (await import("./commands/setup/setup-command.ts")).setupCommand,
  },
  {
    name: "show",
    operand: { name: "RUN", description: "its id, OWNER/REPO#N or a JSON file", required: false },
    description: "show how a run came about, or list the latest runs",
    load: async () => (await import("./commands/show/show-command.ts")).showCommand,
  },
  {
    name: "start",
    description: "start the bot, which then waits for webhooks",
    load: async () => startCommand,
  },
  {
    name: "stats",
    description: "show what became of the bot's runs and pull requests",
    load: async () => (await import("./commands/show/stats-command.ts")).statsCommand,
  },
];

/** A program with commands; `name` is what people write before a command's name. */
interface Program {
  name?: CliContext["program"];
  commands: readonly NamedCommand[];
}

/**
 * Runs one command line (without the program's name), writes its output and gives the exit code. Uses no globals of the
 * process, except for its working directory: `place` holds the others.
 */
export async function runCommand(
  args: readonly string[],
  place: CommandPlace,
  program: Program = { commands: COMMANDS },
): Promise<ExitCode> {
  const { stdout, stderr } = place;
  const { say, live } = await openTerminal(stderr);
  const context: CliContext = {
    ...place,
    program: program.name,
    version: ownVersion(),
    columns: stdout.columns,
    // For people, so only warnings and errors.
    log: { info: () => undefined, warn: (_, message) => say(message), error: (_, message) => say(message) },
    progress: say,
    live,
  };
  const { exitCode, text, output } = await runCli(args, program.commands, context);
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

/** `magis start`: the bot itself, like `node dist/main.js`. From then on only its log is written. */
const startCommand: CliCommand = {
  options: [],
  async run(_, { startBot }) {
    await startBot({});
    return { exitCode: 0, text: "" };
  },
};
