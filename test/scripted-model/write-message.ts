import type { ServerResponse } from "node:http";
import type { WrittenMessage } from "./written-message.ts";

/** Writes `message` as one JSON body for a call without a stream; a cut one ends the connection. */
export function writeMessage(message: WrittenMessage, response: ServerResponse): void {
  if (message.cut !== undefined) {
    response.destroy();
    return;
  }
  const text = message.text === "" && message.calls.length > 0 ? [] : [{ type: "text", text: message.text }];
  const calls = message.calls.map(({ id, name, json }) => ({ type: "tool_use", id, name, input: inputOf(json) }));
  const body = {
    id: message.id,
    type: "message",
    role: "assistant",
    model: message.model,
    content: [...message.thinking, ...text, ...calls],
    stop_reason: message.stopReason,
    stop_sequence: null,
    usage: message.usage,
  };
  response.writeHead(200, { "content-type": "application/json", "request-id": message.id.replace("msg", "req") });
  response.end(JSON.stringify(body));
}

/** Without a stream, a cut-off input arrives empty. */
function inputOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
