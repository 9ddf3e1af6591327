import { connect } from "node:net";
import { errorCode } from "./error-code.ts";

/** What a lock's holder said: its process id where it told one, and its answer where it was asked and gave one. */
export interface Said {
  readonly pid: number | undefined;
  readonly answer?: unknown;
}

export interface AskInput {
  readonly address: string;
  /** one command, plain data; absent: only the process id is wanted */
  readonly request?: unknown;
  /** milliseconds without a word after which the holder is given up */
  readonly withinMs: number;
}

/** Characters; a run's record with all its answers has a few millions at most. */
const MAX_ANSWER_LENGTH = 200_000_000;

/** Asks whoever holds a local socket. `nobody` when it is a file that a killed process left behind. Throws nothing. */
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
      // A line without its end was cut off.
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
