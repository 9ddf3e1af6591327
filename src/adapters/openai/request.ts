import type OpenAI from "openai";
import type { EarlierExchange, Effort, ModelRequest, PromptPart, ToolDefinition } from "../../ports/language-model.ts";

type Params = OpenAI.Chat.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.Chat.ChatCompletionMessageParam;
type JsonSchema = Readonly<Record<string, unknown>>;

/** What an endpoint takes, found out by what it refuses. */
export interface Abilities {
  /** how the shape of an answer is asked for: held to it, told of it, or said in words */
  readonly shape: "strict" | "schema" | "words";
  /** the name of the limit of an answer: older endpoints know one, OpenAI's newer models the other only */
  readonly limit: "max_completion_tokens" | "max_tokens";
}

/** `request` as the body of a chat completion. Sampling parameters are never sent, thinking of earlier answers never returned. */
export function toChatParams(
  request: ModelRequest,
  model: string,
  effort: Effort | undefined,
  abilities: Abilities,
): Params {
  const { schema } = request;
  const strict = abilities.shape === "strict";
  const inWords = schema !== undefined && abilities.shape === "words";
  const system = [
    ...(request.system === "" ? [] : [request.system]),
    ...(inWords ? [`Answer with JSON alone, of this JSON Schema:\n${JSON.stringify(schema)}`] : []),
  ].join("\n\n");
  return {
    model,
    [abilities.limit]: request.maxTokens,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
      { role: "user", content: toContent(request.parts) },
      ...request.earlier.flatMap(toTurns),
    ],
    ...toTools(request, strict),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(schema !== undefined &&
      !inWords && {
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", ...toSchema(schema, strict) },
        },
      }),
  };
}

const NO_TEXT = "(empty)";

const filled = (text: string): string => (text.trim() === "" ? NO_TEXT : text);

/** One text where no image is shown: not every endpoint takes parts. */
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

function toTurns(exchange: EarlierExchange): Message[] {
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
  return [
    { role: "assistant", content: text === "" ? null : text, ...(calls.length > 0 && { tool_calls: calls }) },
    ...results.map((result): Message => {
      const content = filled(result.text);
      return { role: "tool", tool_call_id: result.id, content: result.isError ? `Error: ${content}` : content };
    }),
    ...(word === "" ? [] : [{ role: "user" as const, content: word }]),
  ];
}

function toTools({ tools = [], answerBy, mustAnswer }: ModelRequest, strict: boolean): Partial<Params> {
  if (tools.length === 0) return {};
  const forced = mustAnswer === true && answerBy !== undefined;
  return {
    tools: tools.map((tool) => toTool(tool, strict)),
    tool_choice: forced ? { type: "function", function: { name: answerBy } } : "auto",
  };
}

function toTool(tool: ToolDefinition, strict: boolean): OpenAI.Chat.ChatCompletionFunctionTool {
  const { schema, ...held } = toSchema(tool.inputSchema, strict && tool.strict === true);
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: schema, ...held },
  };
}

/** The schema without its draft, held to where it is asked for and where it has the form that is taken then. */
function toSchema(whole: JsonSchema, strict: boolean): { schema: Record<string, unknown>; strict?: true } {
  const { $schema: _, ...schema } = whole;
  return strict && canBeStrict(schema) ? { schema, strict: true } : { schema };
}

/** Whether every object in `schema` requires all its properties and takes no others, as strict answers have to. */
function canBeStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(canBeStrict);
  if (schema === null || typeof schema !== "object") return true;
  const { type, properties, required, additionalProperties } = schema as JsonSchema;
  if (type === "object") {
    const names = Object.keys((properties ?? {}) as object);
    const all = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !names.every((name) => all.has(name))) return false;
  }
  return Object.values(schema).every(canBeStrict);
}
