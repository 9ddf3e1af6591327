import type OpenAI from "openai";
import type { Effort } from "../../data/settings.ts";
import type { EarlierExchange, ModelRequest, PromptPart, ToolDefinition } from "../language-model.ts";
import type { ApiFailure } from "../model-errors.ts";

type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.Chat.ChatCompletionMessageParam;
type JsonSchema = Readonly<Record<string, unknown>>;

/** What an endpoint accepts, learnt from what it refuses. */
export interface Abilities {
  /** how to ask for an answer's shape: a strict schema, a schema, or a schema in the prompt's words */
  shape: "strict" | "schema" | "words";
  /** the field that limits an answer: older endpoints know `max_tokens`, OpenAI's newer models only the other */
  limit: "max_completion_tokens" | "max_tokens";
  /** offers tools; without them nothing can be looked up, and an answer by tool is asked for as JSON */
  tools: boolean;
  /** a call of a certain tool can be required */
  forced: boolean;
  /** asks for a count of tokens at the end of the stream; without it they are estimated */
  count: boolean;
  effort: boolean;
  /** sends the model's thinking back with its tool calls */
  thoughts: boolean;
}

export const FULL_ABILITIES: Omit<Abilities, "limit"> = {
  shape: "strict",
  tools: true,
  forced: true,
  count: true,
  effort: true,
  thoughts: true,
};

/**
 * `request` as the body of a chat completion. Never sends sampling parameters, nor the thinking of other providers'
 * models.
 */
export function toChatParams(
  request: ModelRequest,
  model: string,
  effort: Effort | undefined,
  abilities: Abilities,
): Params {
  const { tools = [], answerBy } = request;
  // Without tools, what the model would call at the end becomes the answer.
  const answerTool = abilities.tools ? undefined : tools.find(({ name }) => name === answerBy);
  const schema = request.schema ?? answerTool?.inputSchema;
  const inWords = schema !== undefined && abilities.shape === "words";
  const texts = [request.system];
  if (answerTool)
    texts.push(`There are no tools. Where ${answerTool.name} is to be called, answer with its input instead.`);
  if (inWords) texts.push(`Answer with JSON alone, of this JSON Schema:\n${JSON.stringify(schema)}`);
  const system = texts.filter((text) => text !== "").join("\n\n");
  const messages: Message[] = [
    { role: "user", content: toContent(request.parts) },
    ...request.earlier.flatMap((exchange) => toTurns(exchange, abilities)),
  ];
  if (system !== "") messages.unshift({ role: "system", content: system });
  const held = inWords || schema === undefined ? undefined : toSchema(schema, abilities.shape === "strict");
  return {
    model,
    [abilities.limit]: request.maxTokens,
    stream: true,
    stream_options: abilities.count ? { include_usage: true } : undefined,
    messages,
    ...toTools(request, abilities),
    reasoning_effort: abilities.effort ? effort : undefined,
    response_format: held && { type: "json_schema", json_schema: { name: "answer", ...held } },
  };
}

const FORM_STATUS = new Set([400, 422]);

/** Statuses of endpoints whose model has no tools, or that were started without them. */
const TOOLS_STATUS = new Set([404, 500, 501]);

/**
 * The abilities to try next after `params` were refused because of their form (which costs nothing); undefined if there
 * is nothing left to try.
 */
export function withoutRefused(
  { status = 0, param, code, said }: ApiFailure,
  taken: Abilities,
  params: Params,
): Abilities | undefined {
  const words = `${param ?? ""} ${said ?? ""}`;
  const aboutTools = params.tools !== undefined && /\b(tools?|functions?)\b|tool_/i.test(words);
  // The model wrote what the endpoint could not read: the request's form is not at fault.
  if (/_failed$/.test(code ?? "")) return undefined;
  if (TOOLS_STATUS.has(status)) return aboutTools ? { ...taken, tools: false } : undefined;
  if (!FORM_STATUS.has(status)) return undefined;
  const unknown = /unsupported|not supported|does ?n.t support|unrecognized|unknown|extra|not permitted|unexpected/i;
  // The field itself is refused, not a limit that is too high.
  if (/max_(completion_)?tokens/.test(words) && unknown.test(words)) {
    return { ...taken, limit: taken.limit === "max_tokens" ? "max_completion_tokens" : "max_tokens" };
  }
  if (/stream_options|include_usage/.test(words)) return taken.count ? { ...taken, count: false } : undefined;
  if (/reasoning_content/.test(words)) return taken.thoughts ? { ...taken, thoughts: false } : undefined;
  if (/reasoning.?effort/i.test(words)) return taken.effort ? { ...taken, effort: false } : undefined;
  if (/tool_choice/.test(words) && typeof params.tool_choice === "object") return { ...taken, forced: false };
  if (!aboutTools && !/strict|schema|response_format|grammar|json/i.test(words)) return undefined;
  if (taken.shape === "strict" && JSON.stringify([params.tools, params.response_format]).includes('"strict":true')) {
    return { ...taken, shape: "schema" };
  }
  if (aboutTools) return { ...taken, tools: false };
  return params.response_format === undefined ? undefined : { ...taken, shape: "words" };
}

const NO_TEXT = "(empty)";

const filled = (text: string): string => (text.trim() === "" ? NO_TEXT : text);

/** A single text unless there are images: not every endpoint takes parts. */
function toContent(parts: readonly PromptPart[]): string | OpenAI.Chat.ChatCompletionContentPart[] {
  const texts = parts.filter((part) => part.text.trim() !== "");
  const shown = texts.flatMap(({ images = [] }) => images).filter(({ data }) => data !== undefined);
  if (shown.length === 0) return filled(texts.map(({ text }) => text).join("\n\n"));
  return texts.flatMap(({ text, images = [] }) => [
    { type: "text" as const, text },
    ...images.flatMap(({ mediaType, data }) =>
      data === undefined
        ? []
        : [{ type: "image_url" as const, image_url: { url: `data:${mediaType};base64,${data}` } }],
    ),
  ]);
}

function toTurns(exchange: EarlierExchange, { tools: withTools, thoughts }: Abilities): Message[] {
  if (!("blocks" in exchange)) {
    return [
      { role: "assistant", content: filled(exchange.answer) },
      { role: "user", content: filled(exchange.reply) },
    ];
  }
  const { blocks, results, word = "" } = exchange;
  const text = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  const calls = blocks.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    const isObject = input !== null && typeof input === "object" && !Array.isArray(input);
    const json = JSON.stringify(isObject ? input : { unreadable: input });
    return [{ id, type: "function" as const, function: { name, arguments: json } }];
  });
  if (!withTools) {
    const called = calls.map(({ function: { name, arguments: json } }) => `${name} ${json}`);
    return [
      { role: "assistant", content: filled([text, ...called].filter((part) => part !== "").join("\n")) },
      { role: "user", content: filled([...results.map((result) => result.text), word].join("\n\n")) },
    ];
  }
  // Signed thinking is another provider's.
  const thought = blocks.map((block) => (block.type === "thinking" && block.signature === "" ? block.thinking : ""));
  const aloud = thoughts && calls.length > 0 ? thought.join("") : "";
  const answer: Message & { reasoning_content?: string } = {
    role: "assistant",
    content: text === "" ? null : text,
    tool_calls: calls.length > 0 ? calls : undefined,
    reasoning_content: aloud || undefined,
  };
  const turns = [
    answer,
    ...results.map((result): Message => {
      const content = filled(result.text);
      return { role: "tool", tool_call_id: result.id, content: result.isError ? `Error: ${content}` : content };
    }),
  ];
  return word === "" ? turns : [...turns, { role: "user", content: word }];
}

function toTools(
  { tools = [], answerBy, mustAnswer }: ModelRequest,
  { tools: offered, forced, shape }: Abilities,
): Partial<Params> {
  if (tools.length === 0 || !offered) return {};
  const one = mustAnswer === true && forced ? answerBy : undefined;
  return {
    tools: tools.map((tool) => toTool(tool, shape === "strict")),
    tool_choice: one === undefined ? "auto" : { type: "function", function: { name: one } },
  };
}

function toTool(tool: ToolDefinition, strict: boolean): OpenAI.Chat.ChatCompletionFunctionTool {
  const { schema, ...held } = toSchema(tool.inputSchema, strict && tool.strict === true);
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: schema, ...held },
  };
}

/** The schema without its draft, strict if that is wanted and its form allows it. */
function toSchema(whole: JsonSchema, strict: boolean): { schema: Record<string, unknown>; strict?: true } {
  const { $schema: _, ...schema } = whole;
  return strict && canBeStrict(schema) ? { schema: allRequired(schema), strict: true } : { schema };
}

/** Whether no object in `schema` allows additional properties, as strict answers require. */
function canBeStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(canBeStrict);
  if (schema === null || typeof schema !== "object") return true;
  const { type, additionalProperties } = schema as JsonSchema;
  return (type !== "object" || additionalProperties === false) && Object.values(schema).every(canBeStrict);
}

/** Strict answers have every property: optional ones may be null instead. */
function allRequired(schema: JsonSchema): Record<string, unknown> {
  const { properties, required, items, ...rest } = schema;
  if (items !== undefined) return { ...rest, items: allRequired(items as JsonSchema) };
  if (properties === undefined) return schema;
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, one]) => {
    const whole = allRequired(one);
    const isRequired = Array.isArray(required) && required.includes(name);
    return [name, isRequired ? whole : { anyOf: [whole, { type: "null" }] }] as const;
  });
  return { ...rest, properties: Object.fromEntries(named), required: named.map(([name]) => name) };
}
