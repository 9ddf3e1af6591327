import { once } from "node:events";
import { createInterface } from "node:readline";
import { addAbortSignal } from "node:stream";
import { MagisError } from "../../data/error.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import type { CliContext } from "../cli-command.ts";

/** Whether the next typed line says yes. */
export async function confirm(
  question: string,
  { stdin, signal, progress }: Pick<CliContext, "stdin" | "signal" | "progress">,
): Promise<boolean> {
  progress(`${terminalText(question)} [y/N]`);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    const ended = once(lines, "close", { signal }).then(() => [""]);
    const [answer] = await Promise.race([once(lines, "line", { signal }), ended]);
    return /^\s*y(?:es)?\s*$/i.test(String(answer));
  } finally {
    lines.close();
  }
}

/** Longer input is not an issue. */
const MAX_INPUT = 1_000_000;

/** Reads standard input to its end. */
export async function readInput({
  stdin,
  signal,
  progress,
}: Pick<CliContext, "stdin" | "signal" | "progress">): Promise<string> {
  if (stdin.isTTY) progress("Write the issue with its title on the first line. End with Ctrl-D on a line of its own.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stdin)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_INPUT) throw new MagisError("CONFIGURATION_INVALID", "Standard input is too long for an issue.");
  }
  return Buffer.concat(chunks).toString("utf8");
}
