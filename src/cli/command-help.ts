import type { CliCommand } from "./cli-command.ts";

/** What `magis help COMMAND` shows. */
export function commandHelp({ name, operands, about, options }: CliCommand): string {
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
