import type { ServerResponse } from "node:http";
import type { WrittenMessage } from "./written-message.ts";

const PIECE = 64;

/** Writes `message` as the API's server-sent events; a cut one stops half way through its text. */
export function writeStream(message: WrittenMessage, response: ServerResponse): void {
  const send = (type: string, data: object = {}): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": message.id.replace("msg", "req"),
  });
  const { id, model, usage } = message;
  const empty = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
  send("message_start", { message: { ...empty, usage } });
  let index = 0;
  if (message.thinks) {
    send("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
    send("content_block_delta", { index, delta: { type: "signature_delta", signature: "c2NyaXB0ZWQ=" } });
    send("content_block_stop", { index });
    index += 1;
  }
  send("ping");
  send("content_block_start", { index, content_block: { type: "text", text: "" } });
  const end = message.cut === undefined ? message.text.length : Math.ceil(message.text.length / 2);
  for (let at = 0; at < end; at += PIECE) {
    const text = message.text.slice(at, Math.min(at + PIECE, end));
    send("content_block_delta", { index, delta: { type: "text_delta", text } });
  }
  if (message.cut === "overloaded") {
    send("error", { error: { type: "overloaded_error", message: "Overloaded" } });
    response.end();
  } else if (message.cut === true) {
    // Only once the half is on the wire: a socket that is destroyed at once may lose it.
    response.write(": cut\n\n", () => response.destroy());
  } else {
    send("content_block_stop", { index });
    send("message_delta", { delta: { stop_reason: message.stopReason, stop_sequence: null }, usage });
    send("message_stop");
    response.end();
  }
}
