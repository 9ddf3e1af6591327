import type { ServerResponse } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Holds } from "../holds.ts";
import { type ThinkingMemory, think } from "./create-thinking-memory.ts";
import { createUsageCounter, type Usage } from "./create-usage-counter.ts";
import type { MessageBody, ThinkingBlock } from "./message-body.ts";
import type { Answer, ApiError, Script, ToolAnswer } from "./script.ts";
import type { ScriptedCall } from "./scripted-model.ts";

/** A call and the response to write. */
interface Exchange {
  body: MessageBody;
  call: ScriptedCall;
  id: string;
  response: ServerResponse;
}

type Unanswered = { error: ApiError } | { fault: string };

const CHARACTERS_PER_TOKEN = 4;

/** Answers calls by `script`; gives an error when it wrote nothing. */
export function createAnswerer(
  script: Script<ScriptedCall>,
  holds: Holds<ScriptedCall>,
  memory: ThinkingMemory,
): (exchange: Exchange) => Promise<Unanswered | undefined> {
  const countUsage = createUsageCounter();
  return async ({ body, call, id, response }) => {
    await holds.pass(call);
    const scripted = await script(call);
    if (scripted === undefined) return { fault: `No script answers ${call.promptId} (call ${call.nth}).` };
    if (scripted instanceof Error) throw scripted;
    if (typeof scripted !== "string" && "error" in scripted) return scripted as { error: ApiError };
    const written = toWritten(scripted, call, body.tools);
    if ("fault" in written) return written;
    const calls = written.calls.map((each, at) => ({ ...each, id: `${id.replace("msg", "toolu")}_${at + 1}` }));
    const cut = cutToLength({ ...written, calls }, body.max_tokens * CHARACTERS_PER_TOKEN);
    const message = {
      ...cut,
      id,
      model: body.model,
      thinking: think(id, call.nth, calls.length > 0),
      usage: { ...countUsage(body), output_tokens: Math.max(1, Math.ceil(cut.length / CHARACTERS_PER_TOKEN)) },
    };
    memory.remember(message);
    writeStream(message, response);
    return undefined;
  };
}

type Written = Pick<WrittenMessage, "text" | "stopReason" | "cut"> & {
  calls: readonly { name: string; json: string }[];
};
type Fault = { fault: string };

/** The message for a scripted answer, or a sentence that says why the script is wrong. */
function toWritten(answer: Answer, call: ScriptedCall, tools: MessageBody["tools"] = []): Written | Fault {
  const plain = { text: "", calls: [], stopReason: "end_turn" } as const;
  const answering = tools.filter(({ strict }) => strict === true);
  if (typeof answer === "string") {
    if (call.schema === undefined && answering.length === 0) return { ...plain, text: answer };
    return { fault: `The script answers ${call.promptId} with text where its schema asks for JSON.` };
  }
  if ("raw" in answer && typeof answer.raw === "string") return { ...plain, text: answer.raw };
  if ("tools" in answer) return toCalls(answer, call, tools);
  if ("stop" in answer) {
    return { ...plain, text: answer.text ?? "", stopReason: answer.stop === "length" ? "max_tokens" : answer.stop };
  }
  if ("cut" in answer) return { ...plain, text: answer.text ?? "This answer breaks off half way.", cut: answer.cut };
  if (answering.length > 0) return toAnswer(answer, call, answering);
  const wrong = call.schema === undefined ? undefined : schemaFault(answer, call.schema, "answer");
  if (wrong === undefined) return { ...plain, text: JSON.stringify(answer) };
  return { fault: `The scripted answer to ${call.promptId} (call ${call.nth}) does not fit its schema: ${wrong}` };
}

/** A call of the strict tool whose schema `json` fits. */
function toAnswer(json: unknown, call: ScriptedCall, tools: NonNullable<MessageBody["tools"]>): Written | Fault {
  const faults = tools.map(({ name, input_schema }) => ({ name, wrong: schemaFault(json, input_schema, "answer") }));
  const fits = faults.find(({ wrong }) => wrong === undefined);
  if (fits) return { text: "", calls: [{ name: fits.name, json: JSON.stringify(json) }], stopReason: "tool_use" };
  const reasons = faults.map(({ name, wrong }) => `${name}: ${wrong}`).join("; ");
  return { fault: `The scripted answer to ${call.promptId} (call ${call.nth}) fits no tool that answers: ${reasons}` };
}

function toCalls(answer: ToolAnswer, call: ScriptedCall, tools: NonNullable<MessageBody["tools"]>): Written | Fault {
  const where = `The script for ${call.promptId} (call ${call.nth})`;
  if (answer.tools.length === 0) return { fault: `${where} calls tools, but names none.` };
  // The API prevents even a faulty model from doing this.
  if (call.mustAnswer) return { fault: `${where} calls tools where none may be called.` };
  for (const { name, input } of answer.raw === true ? [] : answer.tools) {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return { fault: `${where} calls ${name}, which is not on offer.` };
    const wrong = schemaFault(input, tool.input_schema, "input");
    if (wrong !== undefined) return { fault: `${where} calls ${name} with an input that does not fit: ${wrong}` };
  }
  const calls = answer.tools.map(({ name, input }) => ({ name, json: JSON.stringify(input) }));
  return { text: answer.text ?? "", calls, stopReason: "tool_use" };
}

type Whole = Pick<WrittenMessage, "text" | "calls" | "stopReason">;

/** Cuts `message` off after `room` characters of text and inputs, like the API at max_tokens. */
function cutToLength<T extends Whole>(message: T, room: number): T & { length: number } {
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

type Send = (type: string, data?: object) => void;
/** A block as a stream: its start and its deltas. */
interface Streamed {
  start: object;
  deltas: readonly object[];
}

const PIECE = 64;

/** Writes `message` as the API's server-sent events; a cut one stops in the middle of its text. */
function writeStream(message: WrittenMessage, response: ServerResponse): void {
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

/** A tool call to write; its input is JSON, which may be cut off. */
interface WrittenCall {
  id: string;
  name: string;
  json: string;
}

/** A message to write: thinking, text, tool calls, in this order. */
export interface WrittenMessage {
  id: string;
  model: string;
  thinking: readonly ThinkingBlock[];
  /** if empty beside calls, there is no text block */
  text: string;
  calls: readonly WrittenCall[];
  stopReason: "end_turn" | "tool_use" | "max_tokens" | "refusal";
  usage: Usage;
  cut?: true | "overloaded";
}

/** Compile each schema once and without optimising: scripts use the same ones for a few values. */
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, code: { optimize: false } };

const errors = new Ajv2020(OPTIONS);
const compiled = new Map<string, ValidateFunction>();

/** Why `value`, named `name`, does not fit a JSON Schema; undefined when it does. */
export function schemaFault(
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? new Ajv2020(OPTIONS).compile(schema);
  compiled.set(text, validate);
  return validate(value) ? undefined : errors.errorsText(validate.errors, { dataVar: name });
}
