import { parseArgs } from "node:util";
import { isMagisError } from "../model/error.ts";
import { nearestName } from "../text/names.ts";
import type { CliCommand, CliContext, CliInput, CliResult } from "./cli-command.ts";

/**
 * Runs one command line, without the program's name. Gives what is to be said and the exit code; an error that has a
 * code of ours is said, any other passes through.
 */
export async function runCli(
  words: readonly string[],
  commands: readonly CliCommand[],
  context: CliContext,
): Promise<CliResult> {
  const [name, ...rest] = words;
  if (name === undefined) return { exitCode: 2, text: helpText(commands) };
  if (name === "--version") return { exitCode: 0, text: context.version };
  if (name === "help" || name === "--help" || name === "-h") return help(rest[0], commands);
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return unknown(name, commands);
  const input = parse(rest, command);
  if ("fault" in input) return wrong(input.fault, command);
  if (input.options.help) return { exitCode: 0, text: commandHelp(command) };
  try {
    return await command.run(input, context);
  } catch (error) {
    if (context.signal.aborted) return { exitCode: 130, text: "Interrupted." };
    if (isMagisError(error)) return { exitCode: 1, text: error.message };
    throw error;
  }
}

function help(name: string | undefined, commands: readonly CliCommand[]): CliResult {
  const command = commands.find((one) => one.name === name);
  if (name !== undefined && command === undefined) return unknown(name, commands);
  return { exitCode: 0, text: command ? commandHelp(command) : helpText(commands) };
}

function unknown(name: string, commands: readonly CliCommand[]): CliResult {
  const near = nearestName(name, [...commands.map((one) => one.name), "help"]);
  const guess = near === undefined ? "" : ` Did you mean ${near}?`;
  return { exitCode: 2, text: `There is no command ${JSON.stringify(name)}.${guess}\nmagis help shows the commands.` };
}

function wrong(fault: string, command: CliCommand): CliResult {
  return { exitCode: 2, text: `${fault}\nmagis help ${command.name} shows how it is used.` };
}

function parse(words: readonly string[], command: CliCommand): CliInput | { readonly fault: string } {
  const options = Object.entries(command.options).map(
    ([name, { value }]) => [name, { type: value === undefined ? ("boolean" as const) : ("string" as const) }] as const,
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { ...Object.fromEntries(options), help: { type: "boolean", short: "h" } },
    });
    const given = Object.entries(values).filter(([, value]) => value !== false);
    return { operands: positionals, options: Object.fromEntries(given) as CliInput["options"] };
  } catch (error) {
    return { fault: error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error) };
  }
}

/** What `magis help` prints. */
function helpText(commands: readonly CliCommand[]): string {
  const lines = [
    ...commands.map(({ name, operands, about }) => [`${name} ${operands}`, about] as const),
    ["help [COMMAND]", "show this, or how a command is used"] as const,
  ];
  const width = Math.max(...lines.map(([usage]) => usage.length));
  return [
    "Usage: magis COMMAND",
    "",
    ...lines.map(([usage, about]) => `  ${usage.padEnd(width)}  ${about}`),
    "",
    "Options: --help, --version",
    "",
    "The bot itself is started by `npm start`. Commands read their variables from the environment or .env in the working",
    "directory, and may be given while the bot runs.",
    "",
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no change came out, 4 the budget ended it, 130 interrupted.",
  ].join("\n");
}

/** What `magis help COMMAND` shows. */
function commandHelp({ name, operands, about, options }: CliCommand): string {
  const lines = Object.entries(options).map(
    ([option, { value, about: words }]) => [`--${option}${value === undefined ? "" : ` ${value}`}`, words] as const,
  );
  const width = Math.max(0, ...lines.map(([usage]) => usage.length));
  return [
    `Usage: magis ${name} ${operands}${lines.length > 0 ? " [OPTIONS]" : ""}`,
    "",
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    ...(lines.length > 0 ? ["", ...lines.map(([usage, words]) => `  ${usage.padEnd(width)}  ${words}`)] : []),
  ].join("\n");
}
