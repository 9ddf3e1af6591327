import type { CliCommand } from "./cli-command.ts";

/** What `magis help` prints. */
export function helpText(commands: readonly CliCommand[]): string {
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
