import type { ServerResponse } from "node:http";
import type { ApiError } from "./api-error.ts";
import type { Holds } from "./create-holds.ts";
import type { ThinkingMemory } from "./create-thinking-memory.ts";
import { createUsageCounter } from "./create-usage-counter.ts";
import { cutToLength } from "./cut-to-length.ts";
import type { MessageBody } from "./message-body.ts";
import type { Script } from "./scripted-answer.ts";
import type { ScriptedCall } from "./scripted-call.ts";
import { think } from "./think.ts";
import { toWritten } from "./to-written.ts";
import { writeMessage } from "./write-message.ts";
import { writeStream } from "./write-stream.ts";

/** A call and the response to write. */
interface Exchange {
  readonly body: MessageBody;
  readonly call: ScriptedCall;
  readonly id: string;
  readonly response: ServerResponse;
}

type Unanswered = { readonly error: ApiError } | { readonly fault: string };

const CHARACTERS_PER_TOKEN = 4;

/** Answers calls by `script`; gives an error when it wrote nothing. */
export function createAnswerer(
  script: Script,
  holds: Holds,
  memory: ThinkingMemory,
): (exchange: Exchange) => Promise<Unanswered | undefined> {
  const countUsage = createUsageCounter();
  return async ({ body, call, id, response }) => {
    await holds.pass(call);
    const scripted = await script(call);
    if (scripted === undefined) return { fault: `No script answers ${call.promptId} (call ${call.n}).` };
    if ("error" in scripted) return scripted;
    const written = toWritten(scripted, call, body.tools);
    if ("fault" in written) return written;
    const calls = written.calls.map((each, at) => ({ ...each, id: `${id.replace("msg", "toolu")}_${at + 1}` }));
    const cut = cutToLength({ ...written, calls }, body.max_tokens * CHARACTERS_PER_TOKEN);
    const message = {
      ...cut,
      id,
      model: body.model,
      thinking: think(id, call.n, calls.length > 0),
      usage: { ...countUsage(body), output_tokens: Math.max(1, Math.ceil(cut.length / CHARACTERS_PER_TOKEN)) },
    };
    memory.remember(message);
    if (body.stream === true) writeStream(message, response);
    else writeMessage(message, response);
    return undefined;
  };
}
