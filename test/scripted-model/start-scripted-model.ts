import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiError } from "./api-error.ts";
import { checkHttp } from "./check-http.ts";
import { checkMessageParams } from "./check-message-params.ts";
import { createAnswerer } from "./create-answerer.ts";
import { createCallCounter } from "./create-call-counter.ts";
import { createHolds } from "./create-holds.ts";
import { createThinkingMemory } from "./create-thinking-memory.ts";
import { createUsageCounter } from "./create-usage-counter.ts";
import type { MessageBody } from "./message-body.ts";
import { readBody } from "./read-body.ts";
import type { Script } from "./scripted-answer.ts";
import type { JournalEntry, ScriptedModel } from "./scripted-model.ts";
import { writeError } from "./write-error.ts";

interface ScriptedModelOptions {
  readonly answer: Script;
  /** receives a line for each call */
  readonly log?: (line: string) => void;
}

const UNKNOWN_PROMPT = "No block of the first user message begins with `MAGIS prompt <id>`.";

/** Starts a scripted model on a free port of the loopback interface. */
export async function startScriptedModel({ answer, log }: ScriptedModelOptions): Promise<ScriptedModel> {
  const journal: JournalEntry[] = [];
  const faults: string[] = [];
  const holds = createHolds();
  const memory = createThinkingMemory();
  const answerCall = createAnswerer(answer, holds, memory);
  const countCall = createCallCounter();

  const refuse = (message: string): ApiError => {
    faults.push(message);
    return { status: 400, type: "invalid_request_error", message };
  };

  const respond = async (body: unknown, path: string, id: string, response: ServerResponse) => {
    const counting = path.endsWith("/count_tokens");
    const entry: JournalEntry = { path, body, call: undefined, response };
    journal.push(entry);
    const malformed = checkMessageParams(body, counting);
    const params = body as MessageBody;
    const wrong = malformed.length > 0 ? malformed : memory.check(params);
    if (wrong.length > 0) return refuse(wrong.join("; "));
    if (counting) return writeCount(params, response);
    entry.call = countCall(params);
    if (entry.call === undefined) return refuse(UNKNOWN_PROMPT);
    const unanswered = await answerCall({ body: params, call: entry.call, id, response });
    log?.(`${entry.call.promptId} (call ${entry.call.n})`);
    if (unanswered === undefined) return undefined;
    return "fault" in unanswered ? refuse(unanswered.fault) : unanswered.error;
  };

  let count = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    count += 1;
    const id = `msg_scripted${String(count).padStart(6, "0")}`;
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const body = await readBody(request);
    const error = checkHttp(request, path, body) ?? (await respond(body, path, id, response));
    if (error !== undefined) writeError(error, id.replace("msg", "req"), response);
  };

  // Longer than any test: closing an idle connection just as a request arrives would look like a fault of the model.
  const server = createServer({ keepAliveTimeout: 3_600_000 }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that disconnects during its request is no fault.
      if (request.complete) faults.push(`The scripted model failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    holds.releaseAll();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, journal, faults, hold: (matches) => holds.add(matches), stop };
}

function writeCount(body: MessageBody, response: ServerResponse): undefined {
  const usage = createUsageCounter()(body);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ input_tokens: usage.input_tokens + usage.cache_creation_input_tokens }));
}
