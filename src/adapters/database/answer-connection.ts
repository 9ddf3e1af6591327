import type { Socket } from "node:net";

/** Answers one command; gives plain data. */
export type Answer = (request: unknown) => Promise<unknown>;

const MAX_REQUEST_LENGTH = 10_000;
const REQUEST_WITHIN_MS = 2_000;
/** the longest time without a byte taken of an answer */
const TAKEN_WITHIN_MS = 10_000;

/**
 * Our side of a connection to the lock: our process id in a line, at once; then, where commands are taken, one request
 * and one answer, each a line of JSON. Who sends none, too much, or no JSON is cut off.
 */
export function answerConnection(socket: Socket, answer: Answer | undefined): void {
  socket.on("error", () => socket.destroy());
  if (answer === undefined) {
    socket.end(`${process.pid}\n`);
    return;
  }
  let text = "";
  socket.write(`${process.pid}\n`);
  socket.setTimeout(REQUEST_WITHIN_MS, () => socket.destroy());
  socket.setEncoding("utf8");
  const read = (chunk: string) => {
    text += chunk;
    const end = text.indexOf("\n");
    if (end < 0 && text.length <= MAX_REQUEST_LENGTH) return;
    socket.off("data", read);
    const request = end < 0 ? undefined : parse(text.slice(0, end));
    if (request === undefined) {
      socket.destroy();
      return;
    }
    socket.setTimeout(0);
    answer(request)
      .then((value) => {
        // An answer may have megabytes: who does not take it must not make us keep it.
        socket.setTimeout(TAKEN_WITHIN_MS, () => socket.destroy());
        socket.end(`${JSON.stringify(value)}\n`);
      })
      .catch(() => socket.destroy());
  };
  socket.on("data", read);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
