import type { MessageBody } from "./message-body.ts";
import type { ScriptedCall } from "./scripted-call.ts";
import { toScriptedCall } from "./to-scripted-call.ts";

/** Reads bodies as calls, numbered by prompt id. */
export function createCallCounter(): (body: MessageBody) => ScriptedCall | undefined {
  const counts = new Map<string, number>();
  return (body) => {
    const seen = toScriptedCall(body);
    if (seen === undefined) return undefined;
    const n = (counts.get(seen.promptId) ?? 0) + 1;
    counts.set(seen.promptId, n);
    return { ...seen, n };
  };
}
