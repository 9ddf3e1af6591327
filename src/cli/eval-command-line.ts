import type { CliInput } from "./cli-command.ts";

/** The command line as the report shows it. A grading command may hold what is nobody's business: only its first word. */
export function evalCommandLine(options: CliInput["options"]): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    return [`--${name}`, quoted(name === "grade" ? `${value.trim().split(/\s+/)[0]} …` : value)];
  });
  return ["magis eval", ...words].join(" ");
}

function quoted(word: string): string {
  return /^[\w./:@,*?+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
