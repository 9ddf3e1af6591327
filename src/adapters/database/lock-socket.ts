import { connect, type Socket } from "node:net";
import { errorCode } from "./connection.ts";

/** What a lock's holder said: its process id, and its answer to a request. */
export interface Said {
  readonly pid: number | undefined;
  readonly answer?: unknown;
}

export interface AskInput {
  readonly address: string;
  /** one command, plain data; absent: ask for the process id only */
  readonly request?: unknown;
  /** milliseconds of silence before giving up */
  readonly withinMs: number;
}

/** In characters; a run's record with all its answers has a few million at most. */
const MAX_ANSWER_LENGTH = 200_000_000;

/** Asks the holder of a local socket. `nobody` for a file that a killed process left behind. Never throws. */
export function askSocket({ address, request, withinMs }: AskInput): Promise<Said | "nobody"> {
  return new Promise((resolve) => {
    const chunks: string[] = [];
    let length = 0;
    const socket = connect(address);
    socket.setEncoding("utf8");
    socket.setTimeout(withinMs, () => socket.destroy());
    socket.on("connect", () => {
      if (request !== undefined) socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on("data", (chunk: string) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_ANSWER_LENGTH || (request === undefined && chunk.includes("\n"))) socket.destroy();
    });
    socket.on("error", (error) => {
      if (["ECONNREFUSED", "ENOENT", "ENOTSOCK"].includes(errorCode(error))) resolve("nobody");
    });
    socket.on("close", () => {
      const text = chunks.join("");
      const [first = "", second] = text.split("\n");
      const pid = /^\d+$/.test(first) ? Number(first) : undefined;
      // A line without an end was cut off.
      resolve(second !== undefined && text.endsWith("\n") ? { pid, ...parsed(second) } : { pid });
    });
  });
}

function parsed(line: string): { answer?: unknown } {
  try {
    return { answer: JSON.parse(line) };
  } catch {
    return {};
  }
}

/** Answers one command; gives plain data. */
export type Answer = (request: unknown) => Promise<unknown>;

const MAX_REQUEST_LENGTH = 10_000;

const REQUEST_WITHIN_MS = 2_000;

/** The longest time in which a client may read nothing. */
const TAKEN_WITHIN_MS = 10_000;

/**
 * Our side of a connection to the lock: sends our process id in a line, then, where commands are accepted, takes one
 * request and gives one answer, each a line of JSON. Cuts off whoever sends nothing, too much, or no JSON.
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
        // An answer may have megabytes: do not keep it for a client that does not read.
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
