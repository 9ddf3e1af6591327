import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { Answer, ApiError, ToolAnswer } from "../scripted-model/script.ts";
import { serve } from "../serve.ts";

const text = z.string().min(1);

const call = z.strictObject({
  id: text,
  type: z.literal("function"),
  function: z.strictObject({ name: text, arguments: text }),
});

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: text }),
  z.strictObject({ role: z.literal("user"), content: z.union([text, z.array(z.looseObject({ type: text })).min(1)]) }),
  z.strictObject({
    role: z.literal("assistant"),
    content: text.nullable(),
    tool_calls: z.array(call).min(1).optional(),
    reasoning_content: text.optional(),
  }),
  z.strictObject({ role: z.literal("tool"), tool_call_id: text, content: text }),
]);

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: text,
    description: text,
    parameters: z.looseObject({ type: z.literal("object") }),
    strict: z.boolean().optional(),
  }),
});

/** The fields of a chat completion that we send; any other is a fault. */
const body = z.strictObject({
  model: text,
  max_tokens: z.number().int().positive().optional(),
  max_completion_tokens: z.number().int().positive().optional(),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }).optional(),
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).optional(),
  tool_choice: z
    .union([
      z.literal("auto"),
      z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: text }) }),
    ])
    .optional(),
  reasoning_effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
  response_format: z
    .strictObject({
      type: z.literal("json_schema"),
      json_schema: z.strictObject({ name: text, schema: z.looseObject({}), strict: z.boolean().optional() }),
    })
    .optional(),
});

export type ChatBody = z.infer<typeof body>;

export interface ChatEndpoint {
  /** without `/v1` */
  url: string;
  count(): number;
  bodies: readonly ChatBody[];
  faults: readonly string[];
  close(): Promise<void>;
}

/** Gives the error that refuses a body, or nothing. */
export type Refuse = (
  body: ChatBody,
) => { message: string; param?: string; code?: string; status?: number } | undefined;

const PIECE = 7;

/** An endpoint for chat completions on loopback. Gives `answers` in order, and calls a known prefix cached. */
export async function startChatEndpoint(
  answers: readonly Answer[],
  refuse: Refuse = () => undefined,
): Promise<ChatEndpoint> {
  const bodies: ChatBody[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (request.url !== "/v1/chat/completions") faults.push(`unknown path ${request.url}`);
    if (!request.headers.authorization?.startsWith("Bearer ")) faults.push("no key");
    const { data, error } = body.safeParse(JSON.parse(Buffer.concat(pieces).toString()));
    if (!data) faults.push(z.prettifyError(error));
    const chat = data as ChatBody;
    faults.push(...wrongTurns(chat));
    const refused = refuse(chat);
    if (refused) {
      const { status = 400, ...error } = refused;
      return writeError(response, status, { type: "invalid_request_error", ...error }, 0.01);
    }
    const answer = answers[Math.min(bodies.length, answers.length - 1)] as Answer;
    bodies.push(chat);
    if (typeof answer !== "string" && "error" in answer) {
      const { status, retryAfter, ...error } = answer.error as ApiError;
      return writeError(response, status, error, retryAfter);
    }
    const prefix = JSON.stringify(chat.messages.slice(0, 1));
    await writeChunks(response, chat, answer, seen.has(prefix));
    seen.add(prefix);
  };
  const { url, close } = await serve((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (request.complete) faults.push(String(error));
      response.destroy();
    });
  });
  return { url, count: () => bodies.length, bodies, faults, close };
}

/** The API wants each call's result right after the call, and no result without a call. */
function wrongTurns({ messages }: ChatBody): string[] {
  let open: string[] = [];
  const faults: string[] = [];
  for (const one of messages) {
    if (one.role === "tool") {
      if (!open.includes(one.tool_call_id)) faults.push(`a result of no call: ${one.tool_call_id}`);
      open = open.filter((id) => id !== one.tool_call_id);
      continue;
    }
    if (open.length > 0) faults.push(`calls without results: ${open.join(", ")}`);
    open = one.role === "assistant" ? (one.tool_calls ?? []).map(({ id }) => id) : [];
  }
  return faults;
}

function writeError(response: ServerResponse, status: number, error: object, retryAfter?: number): void {
  if (retryAfter) response.setHeader("retry-after", String(retryAfter));
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { param: null, code: null, ...error } }));
}

async function writeChunks(
  response: ServerResponse,
  { model, messages, tools, response_format }: ChatBody,
  answer: Answer,
  cached: boolean,
): Promise<void> {
  const send = (data: object) =>
    response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, ...data })}\n\n`);
  const delta = (change: object, finish_reason: string | null = null) =>
    send({ choices: [{ index: 0, delta: change, finish_reason }] });
  response.writeHead(200, { "content-type": "text/event-stream" });
  const byTool = response_format === undefined ? tools?.find((one) => one.function.strict)?.function.name : undefined;
  const { text: said = "", calls, cut: cutOff, stop } = partsOf(answer, byTool);
  const content = cutOff ? said.slice(0, said.length / 2) : said;
  delta({ role: "assistant", content: "" });
  for (const piece of cut(content)) delta({ content: piece });
  if (cutOff) {
    if (cutOff === "overloaded") {
      response.end(`data: ${JSON.stringify({ error: { type: "server_error", message: "Overloaded" } })}\n\n`);
    } else {
      await new Promise<void>((resolve) => response.write(": cut\n\n", () => resolve()));
      response.destroy();
    }
    return;
  }
  calls.forEach(({ name, input }, index) => {
    const id = `call_${messages.length}_${index}`;
    delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const piece of cut(JSON.stringify(input))) delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  delta({}, stop ?? (calls.length > 0 ? "tool_calls" : "stop"));
  const prompt_tokens = Math.ceil(JSON.stringify(messages).length / 4);
  const usage = { prompt_tokens, completion_tokens: Math.ceil((content.length + JSON.stringify(calls).length) / 4) };
  send({
    choices: [],
    usage: { ...usage, prompt_tokens_details: { cached_tokens: cached ? Math.floor(prompt_tokens / 2) : 0 } },
  });
  response.end("data: [DONE]\n\n");
}

/** What an answer comes to; a structured one calls the tool that answers, if there is one. */
function partsOf(answer: Answer, byTool: string | undefined) {
  const plain = { text: "", calls: [] as ToolAnswer["tools"], cut: undefined, stop: undefined };
  if (typeof answer === "string") return { ...plain, text: answer };
  if ("raw" in answer && typeof answer.raw === "string") return { ...plain, text: answer.raw };
  if ("tools" in answer) return { ...plain, text: answer.text, calls: answer.tools };
  if ("cut" in answer) return { ...plain, ...answer };
  if ("stop" in answer) {
    return { ...plain, text: answer.text, stop: answer.stop === "refusal" ? "content_filter" : answer.stop };
  }
  return byTool ? { ...plain, calls: [{ name: byTool, input: answer }] } : { ...plain, text: JSON.stringify(answer) };
}

function cut(whole: string): string[] {
  return whole.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, "gu")) ?? [];
}
