import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createHolds } from "../holds.ts";
import { serve } from "../serve.ts";
import { checkMessageParams } from "./check-message-params.ts";
import { createAnswerer } from "./create-answerer.ts";
import { createThinkingMemory } from "./create-thinking-memory.ts";
import { type Block, type MessageBody, textOf, toBlocks } from "./message-body.ts";
import type { ApiError, LookedUp, Script } from "./script.ts";
import type { EarlierTurns, JournalEntry, ScriptedCall, ScriptedModel } from "./scripted-model.ts";

interface ScriptedModelOptions {
  answer: Script<ScriptedCall>;
  /** receives a line for each call */
  log?: (line: string) => void;
}

const UNKNOWN_PROMPT = "No block of the first user message begins with `MAGIS prompt <id>`.";

/** Starts a scripted model on a free port of the loopback interface. */
export async function startScriptedModel({ answer, log }: ScriptedModelOptions): Promise<ScriptedModel> {
  const journal: JournalEntry[] = [];
  const faults: string[] = [];
  const holds = createHolds<ScriptedCall>();
  const memory = createThinkingMemory();
  const answerCall = createAnswerer(answer, holds, memory);
  const countCall = createCallCounter();

  const refuse = (message: string): ApiError => {
    faults.push(message);
    return { status: 400, type: "invalid_request_error", message };
  };

  const respond = async (body: unknown, path: string, id: string, response: ServerResponse) => {
    const entry: JournalEntry = { path, body, call: undefined, response };
    journal.push(entry);
    const params = body as MessageBody;
    const wrong = checkMessageParams(body) ?? memory.check(params);
    if (wrong !== undefined) return refuse(wrong);
    entry.call = countCall(params);
    if (entry.call === undefined) return refuse(UNKNOWN_PROMPT);
    const unanswered = await answerCall({ body: params, call: entry.call, id, response });
    log?.(`${entry.call.promptId} (call ${entry.call.nth})`);
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
  const listener: RequestListener = (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that disconnects during its request is no fault.
      if (request.complete) faults.push(`The scripted model failed: ${String(error)}`);
      response.destroy();
    });
  };
  const { url, close } = await serve(listener, { keepAliveTimeout: 3_600_000 });
  const stop = async (): Promise<void> => {
    const closed = close();
    holds.releaseAll();
    await closed;
  };
  return { url, journal, faults, hold: (matches) => holds.add(matches), stop };
}

/** The API's objection before it looks into `body`: address, method, key, version, size. */
function checkHttp(request: IncomingMessage, path: string, body: unknown): ApiError | undefined {
  if (path !== "/v1/messages") return { status: 404, type: "not_found_error", message: `Not found: ${path}` };
  if (request.method !== "POST") return { status: 405, type: "invalid_request_error", message: "Method Not Allowed" };
  const { authorization, "x-api-key": key, "anthropic-version": version } = request.headers;
  if (!/^Bearer \S+$/.test(authorization ?? "") && (key === undefined || key === "")) {
    return { status: 401, type: "authentication_error", message: "Authorization header is required" };
  }
  if (key === "wrong" || authorization === "Bearer wrong")
    return { status: 401, type: "authentication_error", message: "invalid x-api-key" };
  if (version === undefined) {
    return { status: 400, type: "invalid_request_error", message: "anthropic-version: header is required" };
  }
  if (body !== "too large") return undefined;
  return { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" };
}

/** Reads bodies as calls, numbered by prompt id. */
function createCallCounter(): (body: MessageBody) => ScriptedCall | undefined {
  const counts = new Map<string, number>();
  return (body) => {
    const seen = toScriptedCall(body);
    if (seen === undefined) return undefined;
    const nth = (counts.get(seen.promptId) ?? 0) + 1;
    counts.set(seen.promptId, nth);
    return { ...seen, nth };
  };
}

const FIRST_LINE = /^MAGIS prompt (\S+)\r?(?:\n|$)/;

/** The whole question of `magis doctor --call`, which uses no prompt. */
const TRIAL = "Answer with the word ok.";

/** The script's view of `body`, without `nth`; undefined if no block of the first message begins with a prompt id. */
function toScriptedCall(body: MessageBody): Omit<ScriptedCall, "nth"> | undefined {
  const [first, ...others] = body.messages.map((message) => message.content);
  // Only the beginning of the last such block counts: an issue or a file may contain such a line too.
  const names = toBlocks(first).flatMap((block) => FIRST_LINE.exec(textOf([block]))?.[1] ?? []);
  const promptId = names.at(-1) ?? (textOf(first) === TRIAL ? "doctor" : undefined);
  if (promptId === undefined) return undefined;
  const earlier: EarlierTurns[] = [];
  for (let at = 0; at + 1 < others.length; at += 2) {
    const [blocks, replies] = [toBlocks(others[at]), toBlocks(others[at + 1])];
    const looked = lookedUp(blocks, replies);
    const turns = sentBack(blocks, replies) ?? { answer: textOf(others[at]), reply: textOf(others[at + 1]) };
    earlier.push(looked.length === 0 ? turns : { ...turns, looked });
  }
  const schema = body.output_config?.format?.schema;
  return {
    promptId,
    model: body.model,
    system: textOf(body.system),
    text: textOf(first),
    earlier,
    looked: earlier.flatMap((turns) => turns.looked ?? []),
    tools: (body.tools ?? []).map((tool) => tool.name),
    mustAnswer: body.tools === undefined || ["none", "tool"].includes(body.tool_choice?.type ?? "auto"),
    schema,
  };
}

/** An answer by a tool call that was sent back, as if it were text; undefined if there is none. */
function sentBack(answer: readonly Block[], reply: readonly Block[]): EarlierTurns | undefined {
  const wrong = reply.find((block) => block.type === "tool_result" && block.is_error === true);
  if (wrong?.type !== "tool_result") return undefined;
  const call = answer.find((block) => block.type === "tool_use" && block.id === wrong.tool_use_id);
  return { answer: call?.type === "tool_use" ? JSON.stringify(call.input) : "", reply: textOf(wrong.content) };
}

function lookedUp(answer: readonly Block[], reply: readonly Block[]): LookedUp[] {
  return answer.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    const found = reply.find((result) => result.type === "tool_result" && result.tool_use_id === id);
    if (found?.type === "tool_result" && found.is_error === true) return [];
    return [{ name, input, result: found?.type === "tool_result" ? textOf(found.content) : "" }];
  });
}

const MAX_SIZE = 32 * 1024 * 1024;

/** Reads the JSON body of `request`: undefined if it is not JSON, "too large" beyond the API's 32 MB. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    const bytes: Buffer = Buffer.from(piece);
    size += bytes.length;
    if (size <= MAX_SIZE) pieces.push(bytes);
  }
  if (size > MAX_SIZE) return "too large";
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Writes `error` in the API's form. */
function writeError(error: ApiError, requestId: string, response: ServerResponse): void {
  const { type, message } = error;
  if (error.retryAfter !== undefined) response.setHeader("retry-after", String(error.retryAfter));
  response.writeHead(error.status, { "content-type": "application/json", "request-id": requestId });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: requestId }));
}
