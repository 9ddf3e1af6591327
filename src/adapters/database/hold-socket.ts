import { rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { type Answer, answerConnection } from "./answer-connection.ts";
import { askSocket } from "./ask-socket.ts";
import { errorCode } from "./error-code.ts";
import type { LockAddress } from "./lock-addresses.ts";

/** Held by us until `release`, or by another process (its id when it said so). */
export type Hold = { readonly release: () => Promise<void> } | { readonly holder: number | undefined };

const ATTEMPTS = 3;
const ANSWER_WITHIN_MS = 1_000;

/**
 * Listens on a local socket as a lock: the kernel lets go of it however the process ends. Who connects is told our
 * process id, and may send one command where the address is ours alone; `answer` gives who answers it at that moment.
 * A socket file that a killed process left behind is taken over when nobody answers.
 * Throws the system's error when the address cannot be listened on at all.
 */
export async function holdSocket(address: LockAddress, answer: () => Answer | undefined): Promise<Hold> {
  const { path, file } = address;
  for (let attempt = 1; ; attempt++) {
    try {
      return { release: await listen(path, address.trusted ? answer : () => undefined) };
    } catch (error) {
      if (errorCode(error) !== "EADDRINUSE") throw error;
    }
    const said = await askSocket({ address: path, withinMs: ANSWER_WITHIN_MS });
    if (said !== "nobody" || !file || attempt === ATTEMPTS) return { holder: said === "nobody" ? undefined : said.pid };
    await rm(path, { force: true });
  }
}

function listen(path: string, answer: () => Answer | undefined): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const connected = new Set<Socket>();
    const server = createServer((socket) => {
      connected.add(socket);
      socket.on("close", () => connected.delete(socket));
      answerConnection(socket, answer());
    });
    const release = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        for (const socket of connected) socket.destroy();
      });
    server.once("error", reject);
    server.listen(path, () => {
      server.unref();
      resolve(release);
    });
  });
}
