import type { ServerResponse } from "node:http";
import type { ThinkingBlock } from "./message-body.ts";
import type { WrittenCall, WrittenMessage } from "./written-message.ts";

type Send = (type: string, data?: object) => void;
/** A block as a stream: its start and its deltas. */
interface Streamed {
  readonly start: object;
  readonly deltas: readonly object[];
}

const PIECE = 64;

/** Writes `message` as the API's server-sent events; a cut one stops in the middle of its text. */
export function writeStream(message: WrittenMessage, response: ServerResponse): void {
  const send: Send = (type, data = {}) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "request-id": message.id.replace("msg", "req"),
  });
  const { id, model, usage, thinking, calls } = message;
  const empty = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
  send("message_start", { message: { ...empty, usage } });
  thinking.forEach((block, index) => {
    sendBlock(send, index, thoughtOf(block));
  });
  send("ping");
  let index = thinking.length;
  if (message.text !== "" || calls.length === 0) {
    const end = message.cut === undefined ? message.text.length : Math.ceil(message.text.length / 2);
    const deltas = pieces(message.text.slice(0, end)).map((text) => ({ type: "text_delta", text }));
    sendBlock(send, index, { start: { type: "text", text: "" }, deltas }, message.cut === undefined);
    index += 1;
  }
  if (message.cut === "overloaded") {
    send("error", { error: { type: "overloaded_error", message: "Overloaded" } });
    response.end();
  } else if (message.cut === true) {
    // Wait until the first half is sent: a socket destroyed at once may lose it.
    response.write(": cut\n\n", () => response.destroy());
  } else {
    calls.forEach((call, at) => {
      sendBlock(send, index + at, callOf(call));
    });
    send("message_delta", { delta: { stop_reason: message.stopReason, stop_sequence: null }, usage });
    send("message_stop");
    response.end();
  }
}

function sendBlock(send: Send, index: number, { start, deltas }: Streamed, ends = true): void {
  send("content_block_start", { index, content_block: start });
  for (const delta of deltas) send("content_block_delta", { index, delta });
  if (ends) send("content_block_stop", { index });
}

function thoughtOf(block: ThinkingBlock): Streamed {
  if (block.type === "redacted_thinking") return { start: block, deltas: [] };
  const { type, signature } = block;
  return { start: { type, thinking: "", signature: "" }, deltas: [{ type: "signature_delta", signature }] };
}

/** Sends an empty piece first like the API, and nothing else for an empty input. */
function callOf({ id, name, json }: WrittenCall): Streamed {
  const inputs = ["", ...(json === "{}" ? [] : pieces(json))];
  return {
    start: { type: "tool_use", id, name, input: {} },
    deltas: inputs.map((partial_json) => ({ type: "input_json_delta", partial_json })),
  };
}

function pieces(text: string): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) all.push(text.slice(at, at + PIECE));
  return all;
}
