import { z } from "zod";
import { MagisError } from "../data/error.ts";
import { type Bounds, parseJson } from "../text/bounded.ts";
import { cutEnd } from "../text/cut.ts";
import type {
  EarlierExchange,
  LanguageModel,
  ModelAnswer,
  ModelRequest,
  ToolCall,
  ToolDefinition,
  ToolExchange,
} from "./language-model.ts";
import { charactersOf, hasRoom, type Lookups, parseGiven, type Toolset, useTools } from "./toolset.ts";

/** A tool with which a role answers. */
export interface AnswerTool<T = unknown> {
  name: string;
  /** whose answer it is */
  description: string;
  shape: z.ZodType<T>;
}

/**
 * A question answered by a tool call. All questions of a profile offer the same tools in the same order, because the
 * provider's cached prefix begins with them.
 */
export interface AnswerByTool<T> {
  by: AnswerTool<T>;
  /** the answer tools of all questions, including `by` */
  among: readonly AnswerTool[];
  /** for look-ups before the answer */
  toolset?: Toolset | undefined;
}

/** A question's tools for the request: first the look-ups, then the answers. */
export function toolsOf({
  by,
  among,
  toolset,
}: AnswerByTool<unknown>): Pick<ModelRequest, "tools" | "answerBy" | "keep"> {
  const tools: ToolDefinition[] = [
    ...(toolset?.tools ?? []).map(({ name, description, shape }) => ({
      name,
      description,
      inputSchema: schemaOf(shape, { isOpen: true }),
    })),
    ...among.map(({ name, description, shape }) => ({
      name,
      description,
      inputSchema: schemaOf(shape),
      strict: true as const,
    })),
  ];
  const isKept = toolset !== undefined && toolset.turns > 0 && !toolset.rare;
  return { tools, answerBy: by.name, keep: isKept ? 0 : undefined };
}

/** More than any model writes at a time. */
const LARGEST_ANSWER: Bounds = { length: 8 * 1024 * 1024 };

/** The longest reason that goes back with a wrong answer. */
const MAX_REASON = 6_000;

/** How often a wrong answer goes back. */
const CORRECTIONS = 1;

/**
 * How often look-ups after the last turn are refused in words, before the answer is forced at the price of the cache.
 */
const REFUSALS = 2;

/** The state of a conversation. */
interface Standing {
  request: ModelRequest;
  /** turns with look-ups so far; `gathered`: the characters of their results */
  turns: number;
  gathered: number;
  refusals: number;
  corrections: number;
}

interface ConversationInput<T> {
  request: ModelRequest;
  model: LanguageModel;
  signal: AbortSignal;
  /** absent: the answer is a text */
  form?: AnswerByTool<T>;
  /** how much the whole run may still look up */
  lookups: Lookups;
  /** Reads an answer and checks it; `answers`: calls of answer tools; undefined when no tool was called at all. */
  read(text: string, answers?: readonly ToolCall[]): Promise<ReadAnswer<T>>;
}

/**
 * Asks until there is a usable answer: a call of the question's tool, or a text. Carries out look-ups while there are
 * turns for them, and ignores look-ups beside an answer. An unusable answer goes back once with the reason. Gives the
 * answer, or the reason why the last one was unusable. Throws MODEL_REFUSED, MODEL_CUT_OFF, and what the model's port
 * throws.
 */
export async function converse<T>(input: ConversationInput<T>): Promise<ReadAnswer<T>> {
  const { form, read } = input;
  let now: Standing = { request: input.request, turns: 0, gathered: 0, refusals: 0, corrections: 0 };
  for (;;) {
    const answer = await complete(now.request, input);
    const calls = form ? (answer.blocks ?? []).filter((block) => block.type === "tool_use") : [];
    const answers = calls.filter(({ name }) => form?.among.some((tool) => tool.name === name));
    if (form && calls.length > 0 && answers.length === 0 && !now.request.mustAnswer) {
      now = await lookedUp(answer, now, form, input.lookups);
      continue;
    }
    const result = await read(answer.text, calls.length > 0 ? answers : undefined);
    if ("value" in result) return result;
    const reason = cutEnd(result.reason, MAX_REASON);
    if (now.corrections >= CORRECTIONS) return { reason };
    const exchange = corrected(answer, calls, reason);
    now = { ...now, corrections: now.corrections + 1, request: goingOn(now.request, exchange) };
  }
}

/** The most tokens for repeating a call whose answer was cut off. */
const MAX_TOKENS = 64_000;

/** Makes one call, and repeats it with more tokens if the answer was cut off. */
async function complete<T>(request: ModelRequest, { model, signal }: ConversationInput<T>): Promise<ModelAnswer> {
  let answer = await model.complete(request, signal);
  if (answer.stop === "length" && request.maxTokens < MAX_TOKENS) {
    const maxTokens = Math.min(MAX_TOKENS, request.maxTokens * 2);
    answer = await model.complete({ ...request, maxTokens }, signal);
  }
  const data = { promptId: request.promptId };
  if (answer.stop === "refusal") throw new MagisError("MODEL_REFUSED", "The model declined to answer.", data);
  if (answer.stop === "length") throw new MagisError("MODEL_CUT_OFF", "The model's answer was too long.", data);
  return answer;
}

const goingOn = (request: ModelRequest, exchange: EarlierExchange): ModelRequest => ({
  ...request,
  earlier: [...request.earlier, exchange],
});

/** Reads an answer that is to be given by a tool: its call, or a text that holds the call's input. */
export function readCall<T>(
  { name, shape }: AnswerTool<T>,
  text: string,
  answers: readonly ToolCall[] | undefined,
): ReadAnswer<T> {
  const call = answers?.find((one) => one.name === name);
  if (answers && !call) return { reason: `This is answered by calling ${name}.` };
  const input = call ? call.input : text;
  return typeof input === "string" ? readText(input, shape, `Answer by calling ${name}.`) : readValue(input, shape);
}

/** A wrong answer with the reason why it is unusable. */
function corrected(answer: ModelAnswer, calls: readonly ToolCall[], reason: string): EarlierExchange {
  if (calls.length === 0) return { answer: answer.text || "(no text)", reply: reason };
  return { blocks: answer.blocks ?? [], results: calls.map(({ id }) => ({ id, text: reason, isError: true })) };
}

async function lookedUp(
  answer: ModelAnswer,
  now: Standing,
  { by, toolset }: AnswerByTool<unknown>,
  lookups: Lookups,
): Promise<Standing> {
  const { request } = now;
  const blocks = answer.blocks ?? [];
  const most = toolset?.turns ?? 0;
  if (!toolset || now.turns >= most || !hasRoom(now.gathered, toolset, lookups)) {
    const text = `Nothing more can be looked up. Call ${by.name} now, with what you have.`;
    const results = blocks.flatMap((block) => (block.type === "tool_use" ? [{ id: block.id, text }] : []));
    const refusals = now.refusals + 1;
    const forced = refusals >= REFUSALS ? { mustAnswer: true as const } : {};
    return { ...now, refusals, request: { ...goingOn(request, { blocks, results }), ...forced } };
  }
  const exchange = await useTools(blocks, toolset, { gathered: now.gathered, lookups });
  const [turns, gathered] = [now.turns + 1, now.gathered + charactersOf(exchange)];
  const last = turns >= most || !hasRoom(gathered, toolset, lookups);
  const sent: ToolExchange = last ? { ...exchange, word: `That was the last time: call ${by.name} now.` } : exchange;
  // Do not pay for caching what is not sent again.
  const keep = last || toolset.rare ? {} : { keep: request.earlier.length + 1 };
  return { ...now, turns, gathered, request: { ...goingOn(request, sent), ...keep } };
}

/** The value of an answer, or a reason that the model can act on. */
export type ReadAnswer<T> = { value: T } | { reason: string };

const ONE_OBJECT = "Answer with one JSON object of the given shape and nothing else.";

/**
 * Reads a structured answer from text. Providers drop limits from the schema and some gateways ignore it, so the text
 * may be fenced or surrounded by words, and is always checked again. `remedy`: how to answer instead.
 */
export function readText<T>(text: string, shape: z.ZodType<T>, remedy = ONE_OBJECT): ReadAnswer<T> {
  if (text.trim() === "") return { reason: `There is no answer. ${remedy}` };
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return { reason: `The answer holds no JSON object. ${remedy}` };
  const read = parseJson(text.slice(start, end + 1), LARGEST_ANSWER);
  return read.fault === undefined
    ? readValue(read.value, shape)
    : { reason: `The answer cannot be read: ${read.fault}. ${remedy}` };
}

function readValue<T>(data: unknown, shape: z.ZodType<T>): ReadAnswer<T> {
  const parsed = parseGiven(data, shape);
  if (parsed.success) return { value: parsed.data };
  return { reason: `The answer does not have the given shape:\n${z.prettifyError(parsed.error)}` };
}

/**
 * The JSON Schema of what the model should write, without bounds that cost tokens for nothing, because answers are
 * checked again anyway. `isOpen`: does not forbid further properties.
 */
export function schemaOf(shape: z.ZodType, { isOpen = false } = {}): Readonly<Record<string, unknown>> {
  const made = isOpen ? openSchemas : closedSchemas;
  const schema = made.get(shape) ?? makeSchema(shape, isOpen);
  made.set(shape, schema);
  return schema;
}

/** A schema costs milliseconds to make, and every request of a run sends some of them. */
const openSchemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

const closedSchemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

function makeSchema(shape: z.ZodType, isOpen: boolean): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(shape, {
    target: "draft-2020-12",
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === "object" && !isOpen) jsonSchema.additionalProperties ??= false;
      if (isOpen) for (const bound of ["minItems", "maxItems"] as const) delete jsonSchema[bound];
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}
