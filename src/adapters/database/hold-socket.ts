import { rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { errorCode } from "./error-code.ts";

/** Held by us, or by another process (its id when it said so). */
export type Hold = { readonly server: Server } | { readonly holder: number | undefined };

const ATTEMPTS = 3;
const ANSWER_WITHIN_MS = 1_000;

/**
 * Listens on a local socket as a lock: the kernel lets go of it however the process ends. Who connects is told our
 * process id. `file`: the address is a file, which a killed process leaves behind; it is taken over when nobody answers.
 * Throws the system's error when the address cannot be listened on at all.
 */
export async function holdSocket(address: string, file: boolean): Promise<Hold> {
  for (let attempt = 1; ; attempt++) {
    try {
      return { server: await listen(address) };
    } catch (error) {
      if (errorCode(error) !== "EADDRINUSE") throw error;
    }
    const answer = await ask(address);
    if (answer !== "nobody" || !file || attempt === ATTEMPTS)
      return { holder: answer === "nobody" ? undefined : answer };
    await rm(address, { force: true });
  }
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end(`${process.pid}\n`);
    });
    server.once("error", reject);
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** The process id of who holds the address, undefined when it does not say, `nobody` when the file is a left-over. */
function ask(address: string): Promise<number | undefined | "nobody"> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(address);
    const answered = () => resolve(/^\d+\n$/.test(text) ? Number(text) : undefined);
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8");
    });
    socket.on("error", (error) => {
      if (["ECONNREFUSED", "ENOENT", "ENOTSOCK"].includes(errorCode(error))) resolve("nobody");
    });
    socket.on("close", answered);
  });
}
