import { type Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { isMagisError } from "../data/error.ts";
import { terminalText } from "../text/strip-escapes.ts";
import { fitText, type LiveLine, MAX_COLUMNS, startLiveLine } from "../text/terminal-text.ts";
import type { CliCommand, CliContext, CliInput, CliOption, CliResult, NamedCommand } from "./cli-command.ts";

/**
 * Runs one command line, without the program's name. Gives text and exit code. A MagisError becomes text; other errors
 * pass through.
 */
export async function runCli(
  args: readonly string[],
  commands: readonly NamedCommand[],
  context: CliContext,
): Promise<CliResult> {
  const written: string[] = [];
  const results: CliResult[] = [];
  const program = createProgram(context, (text) => written.push(text));
  const called = args[0] === "help" ? args[1] : args[0];
  for (const named of commands) {
    const listed = addNamed(program, named);
    if (named.name !== called) continue;
    const command = await named.load();
    addDetails(listed, command, async (input) => void results.push(await runAlive(command, input, context)));
  }
  addHelp(program);
  program
    .command("version")
    .summary("show the version")
    .action(() => void results.push({ exitCode: 0, text: context.version }));
  try {
    await parse(program, args);
  } catch (error) {
    if (error instanceof CommanderError) {
      const command = program.commands.find((one) => one.name() === args[0]);
      return endOf(error, written.join("").trimEnd(), command?.name(), context.program);
    }
    if (context.signal.aborted) return { exitCode: 130, text: "Cancelled." };
    if (isMagisError(error)) return { exitCode: 1, text: error.message };
    throw error;
  }
  const [result] = results;
  if (result === undefined) throw new Error("no command has been run");
  return result;
}

/** A command that ends sooner shows no live line. */
const QUIET_MS = 300;

/** Runs a command, with a live line when it takes long and does not draw its own. */
async function runAlive(command: CliCommand, input: CliInput, context: CliContext): Promise<CliResult> {
  const { waiting } = command;
  const { live } = context;
  if (waiting === undefined || live === undefined) return command.run(input, context);
  let line: LiveLine | undefined;
  const timer = setTimeout(() => {
    line = startLiveLine(live, () => (context.signal.aborted ? "cancelling" : waiting));
  }, QUIET_MS);
  try {
    return await command.run(input, context);
  } finally {
    clearTimeout(timer);
    line?.stop();
  }
}

/** When the terminal does not say how wide it is. */
const COLUMNS = 100;

/** In a narrower terminal, help puts descriptions below the names, not beside them. */
const MIN_WIDTH = 20;

const NOTES = [
  "Commands read their variables from the environment or .env in the working directory, and may be given while the bot runs.",
  "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no change came out, 4 the budget ended it, 5 the check is red, 6 the check proved nothing, 130 cancelled by Ctrl-C.",
];

/**
 * Stops commander from writing and from ending the process: its text goes to `write`, and its exit becomes a
 * CommanderError.
 */
function createProgram({ program = "magis", version, columns }: CliContext, write: (text: string) => void): Command {
  const width = Math.min(columns || COLUMNS, MAX_COLUMNS);
  return new Command(program)
    .usage("COMMAND")
    .version(version, "--version", "show the version")
    .helpOption("-h, --help", "show this")
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      outputError: () => undefined,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ minWidthToWrap: MIN_WIDTH, subcommandTerm: nameOf })
    .addHelpText("after", exampleText(["setup --open", "resolve --repo . --issue bug.md"]))
    .addHelpText("after", fitText(`\n${NOTES.join("\n\n")}`, width));
}

/** The short form of the list of commands; the full usage would leave no room for descriptions. */
function nameOf(command: Command): string {
  return [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" ");
}

const exampleText = (lines: readonly string[]) => ["\nExamples:", ...lines.map((line) => `  magis ${line}`)].join("\n");

const argumentTerm = (one: Argument) => (one.required ? one.name() : `[${one.name()}]`);

function addHelp(program: Command): void {
  program
    .command("help")
    .usage("[COMMAND]")
    .argument("[COMMAND]", "a command's name")
    .summary("show this, or how a command is used")
    .description("Show which commands there are, or how a command is used.")
    .action((name?: string) => (name === undefined ? program.help() : parse(program, [name, "--help"])));
}

/** Runs the command named by `args`. Throws a CommanderError when the command line is wrong or asks for help. */
async function parse(program: Command, args: readonly string[]): Promise<void> {
  const [name] = args;
  const isUnknown = name !== undefined && !name.startsWith("-") && program.commands.every((one) => one.name() !== name);
  // After an unknown command commander would take --help as the program's own.
  await program.parseAsync(isUnknown ? [name] : args, { from: "user" });
}

/** What the list of commands shows of a command. */
function addNamed(program: Command, { name, description, operand }: NamedCommand): Command {
  const command = program.command(name).summary(description);
  command.description(`${description[0]?.toUpperCase()}${description.slice(1)}.`);
  if (operand) command.argument(operand.required ? `<${operand.name}>` : `[${operand.name}]`, operand.description);
  return command;
}

/** What a command's own help shows of it, and what it does. */
function addDetails(
  command: Command,
  { usage, options, examples = [] }: CliCommand,
  run: (input: CliInput) => Promise<void>,
): void {
  const behind = usage ?? command.registeredArguments.map(argumentTerm).join(" ");
  command.usage(options.length > 0 ? `${behind} [OPTIONS]` : behind);
  if (examples.length > 0) command.addHelpText("after", exampleText(examples));
  for (const option of options) command.addOption(commanderOption(option, options));
  command.action(async () => {
    const given = command.options.filter((one) => command.getOptionValueSource(one.attributeName()) === "cli");
    const values = command.opts();
    // For commander `--no-model` means `model: false`; for us it is a switch like any other.
    const named = given.map((one) => [one.long?.slice(2), one.negate || values[one.attributeName()]] as const);
    const [text] = command.args;
    await run({ options: Object.fromEntries(named), operand: text });
  });
}

function commanderOption(
  { name, argument, description, choices, shape }: CliOption,
  all: readonly CliOption[],
): Option {
  const option = new Option(argument === undefined ? `--${name}` : `--${name} <${argument}>`, description);
  if (choices) return option.choices(choices);
  if (argument === undefined) return option;
  return option.argParser((text) => {
    if (all.some((one) => text === `--${one.name}`)) throw new InvalidArgumentError("It is an option itself.");
    const { data, error } = shape?.safeParse(text) ?? { data: text };
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
    return data;
  });
}

/** Turns commander's finding into a result: help, the version, or a wrong command line. */
function endOf(
  { code, exitCode, message }: CommanderError,
  written: string,
  command: string | undefined,
  program: CliContext["program"] = "magis",
): CliResult {
  if (exitCode === 0) return { exitCode: 0, text: written };
  // Called without a command.
  if (code === "commander.help") return { exitCode: 2, text: written };
  const [, fault = message, guess] = FAULT.exec(terminalText(message)) ?? [];
  const sentence = `${fault[0]?.toUpperCase()}${fault.slice(1)}.`;
  const more =
    command === undefined ? "magis help shows the commands." : `${HELP[program](command)} shows how it is used.`;
  return { exitCode: 2, text: `${guess === undefined ? sentence : `${sentence} ${guess}`}\n${more}` };
}

const HELP = {
  magis: (command: string) => `magis help ${command}`,
  "npm run": (command: string) => `npm run ${command} -- --help`,
} as const;

/** Commander's message: what is wrong, with its guess in brackets. */
const FAULT = /^error: ([\s\S]*?)\.?(?:\n\((.*)\))?$/;
