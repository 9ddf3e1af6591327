import { randomUUID } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import type { CliStream } from "./cli-command.ts";

/** What a line may begin with before an order to the runner: white space, and what nobody sees. */
const LEADING = /[\s\p{Cc}\p{Cf}\p{Cs}]/u;

const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Takes text piece by piece, as it is written, and gives it with a zero-width space in whatever the runner of GitHub
 * Actions would take for an order: `::` at the beginning of a line, and `##[` anywhere.
 */
export function createOrderBreaker(): (text: string) => string {
  let atStart = true;
  let hashes = 0;
  return (text) => {
    let safe = "";
    for (const char of text) {
      if ((char === ":" && atStart) || (char === "[" && hashes >= 2)) safe += "\u200b";
      safe += char;
      hashes = char === "#" ? hashes + 1 : 0;
      if (LINE_END.test(char)) atStart = true;
      else if (!LEADING.test(char)) atStart = false;
    }
    return safe;
  };
}

/**
 * Lets nothing that is written to these streams from now on, by whomever, give the runner an order; gives what ends that
 * for the runner, who then takes orders of the next step again. The streams stay as they are.
 */
export function silenceOrders(stdout: CliStream, stderr: CliStream): () => void {
  const token = `magis-${randomUUID()}`;
  const raw = stderr.write.bind(stderr);
  // The runner's own way comes first; what follows holds too when a line of it is lost.
  raw(`::stop-commands::${token}\n`);
  guard(stdout);
  if (stderr !== stdout) guard(stderr);
  return () => void raw(`\n::${token}::\n`);
}

function guard(stream: CliStream): void {
  const write = stream.write.bind(stream) as (text: string, ...rest: unknown[]) => boolean;
  const breakOrders = createOrderBreaker();
  const decoder = new StringDecoder("utf8");
  const guarded = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    const done = typeof encoding === "function" ? encoding : callback;
    return done === undefined ? write(breakOrders(text)) : write(breakOrders(text), done);
  };
  Object.assign(stream, { write: guarded });
}
