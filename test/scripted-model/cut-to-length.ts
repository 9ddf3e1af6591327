import type { WrittenCall, WrittenMessage } from "./written-message.ts";

type Whole = Pick<WrittenMessage, "text" | "calls" | "stopReason">;

/** Cuts `message` off after `room` characters of text and inputs, like the API at max_tokens. */
export function cutToLength<T extends Whole>(message: T, room: number): T & { readonly length: number } {
  const text = message.text.slice(0, room);
  let left = room - text.length;
  let whole = text === message.text;
  const calls: WrittenCall[] = [];
  for (const call of message.calls) {
    if (!whole) break;
    const json = call.json.slice(0, left);
    whole = json === call.json;
    left -= json.length;
    calls.push({ ...call, json });
  }
  const stopReason = whole ? message.stopReason : ("max_tokens" as const);
  return { ...message, text, calls, stopReason, length: room - left };
}
