import type { IncomingMessage } from "node:http";

/** Reads the whole body of a request or answer. Rejects if the connection breaks before its end. */
export function readText(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => resolve(Buffer.concat(chunks).toString()));
    message.on("error", reject);
    message.on("close", () => reject(new Error("the connection was closed before the end of a message")));
  });
}
