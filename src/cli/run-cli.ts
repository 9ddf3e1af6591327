import { parseArgs } from "node:util";
import { isMagisError } from "../domain/magis-error.ts";
import type { CliContext, CliResult } from "./cli-command.ts";
import { commands } from "./commands.ts";
import { helpText } from "./help-text.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * Runs one command line, without the program's name. Gives what is to be said and the exit code; an error that has a
 * code of ours is said, any other passes through.
 */
export async function runCli(words: readonly string[], context: CliContext): Promise<CliResult> {
  const parsed = parse(words);
  if ("fault" in parsed) return wrong(parsed.fault);
  const [name, ...operands] = parsed.positionals;
  if (parsed.version) return { exitCode: 0, text: context.version };
  if (parsed.help || name === "help") return { exitCode: 0, text: helpText(commands) };
  if (name === undefined) return { exitCode: 2, text: helpText(commands) };
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    const names = [...commands.map((one) => one.name), "help"];
    const near = nearestName(name, names);
    return wrong(`There is no command ${JSON.stringify(name)}.${near === undefined ? "" : ` Did you mean ${near}?`}`);
  }
  try {
    return await command.run(operands, context);
  } catch (error) {
    if (isMagisError(error)) return { exitCode: 1, text: error.message };
    throw error;
  }
}

function wrong(fault: string): CliResult {
  return { exitCode: 2, text: `${fault}\nmagis help shows the commands.` };
}

function parse(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, version: { type: "boolean" } },
    });
    return { help: values.help ?? false, version: values.version ?? false, positionals };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
