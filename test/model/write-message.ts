import type { ServerResponse } from "node:http";
import type { WrittenMessage } from "./written-message.ts";

/** Writes `message` as one JSON body, for a call that does not stream; a cut one ends the connection. */
export function writeMessage(message: WrittenMessage, response: ServerResponse): void {
  if (message.cut !== undefined) {
    response.destroy();
    return;
  }
  const thinking = message.thinks ? [{ type: "thinking", thinking: "", signature: "c2NyaXB0ZWQ=" }] : [];
  const body = {
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: [...thinking, { type: "text", text: message.text }],
    stop_reason: message.stopReason,
    stop_sequence: null,
    usage: message.usage,
  };
  response.writeHead(200, { "content-type": "application/json", "request-id": message.id.replace("msg", "req") });
  response.end(JSON.stringify(body));
}
