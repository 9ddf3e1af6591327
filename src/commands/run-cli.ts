import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
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
  let written = "";
  const results: CliResult[] = [];
  const program = createProgram(context, (text) => {
    written += text;
  });
  const asked = args[0] === "help" ? [...args.slice(1, 2), "--help"] : args;
  const [called] = asked;
  for (const { name, description, operand, load } of commands) {
    const listed = program.command(name).description(description).showHelpAfterError(helpOn(name, context));
    if (operand) listed.argument(operand.required ? `<${operand.name}>` : `[${operand.name}]`, operand.description);
    if (name !== called) continue;
    const command = await load();
    addDetails(listed, command, async (input) => void results.push(await runAlive(command, input, context)));
  }
  program
    .command("version")
    .description("show the version")
    .action(() => void results.push({ exitCode: 0, text: context.version }));
  const isKnown = called?.startsWith("-") || program.commands.some((one) => one.name() === called);
  try {
    // After an unknown command commander would take --help as the program's own.
    await program.parseAsync(isKnown ? asked : asked.slice(0, 1), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      return { exitCode: error.exitCode === 0 ? 0 : 2, text: terminalText(written).trimEnd() };
    }
    if (context.signal.aborted) return { exitCode: 130, text: "Cancelled." };
    if (isMagisError(error)) return { exitCode: 1, text: error.message };
    throw error;
  }
  const [result] = results;
  if (result === undefined) throw new Error("no command has been run");
  return result;
}

const helpOn = (command: string, { program }: CliContext) =>
  `${program === "npm run" ? `npm run ${command} -- --help` : `magis help ${command}`} shows how it is used.`;

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
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .showHelpAfterError("magis help shows the commands.")
    .addHelpText("after", exampleText(["setup --open", "resolve --repo . --issue bug.md"]))
    .addHelpText("after", fitText(`\n${NOTES.join("\n\n")}`, width));
}

const exampleText = (lines: readonly string[]) => ["\nExamples:", ...lines.map((line) => `  magis ${line}`)].join("\n");

/** What a command's own help shows of it, and what it does. */
function addDetails(
  command: Command,
  { usage, options, examples = [] }: CliCommand,
  run: (input: CliInput) => Promise<void>,
): void {
  if (usage) command.usage(`${usage} [options]`);
  if (examples.length > 0) command.addHelpText("after", exampleText(examples));
  for (const option of options) command.addOption(commanderOption(option));
  command.action(async () => {
    const given = command.options.filter((one) => command.getOptionValueSource(one.attributeName()) === "cli");
    const values = command.opts();
    // For commander `--no-model` means `model: false`; for us it is a switch like any other.
    const named = given.map((one) => [one.long?.slice(2), one.negate || values[one.attributeName()]] as const);
    const [text] = command.args;
    await run({ options: Object.fromEntries(named), operand: text });
  });
}

function commanderOption({ name, argument, description, choices, shape }: CliOption): Option {
  const option = new Option(argument === undefined ? `--${name}` : `--${name} <${argument}>`, description);
  if (choices) return option.choices(choices);
  if (argument === undefined) return option;
  return option.argParser((text) => {
    if (text.startsWith("--")) throw new InvalidArgumentError("It is an option itself.");
    const { data, error } = shape?.safeParse(text) ?? { data: text };
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
    return data;
  });
}
