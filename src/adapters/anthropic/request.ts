import type Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type {
  AnswerBlock,
  EarlierExchange,
  Effort,
  ModelRequest,
  PromptPart,
  ToolExchange,
} from "../../ports/language-model.ts";

/** The API takes four, one of them for what was looked up; the last ones hold the longest prefixes. */
const MAX_CACHE_BREAKPOINTS = 4;

/** The API refuses empty text. */
const NO_TEXT = "(empty)";

/**
 * `request` as a body of the Messages API. Sampling parameters are never sent: the current models refuse them.
 * Limits such as `maximum` or `pattern` move from the schema into its descriptions, because the API takes none.
 */
export function toMessageParams(
  request: ModelRequest,
  model: string,
  effort: Effort | undefined,
): Anthropic.Messages.MessageCreateParamsStreaming {
  const config: Anthropic.Messages.OutputConfig = {};
  if (effort !== undefined) config.effort = effort;
  if (request.schema !== undefined) {
    config.format = { type: "json_schema", schema: transformJSONSchema({ ...request.schema }) };
  }
  return {
    model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(request.system === "" ? {} : { system: request.system }),
    ...toTools(request),
    messages: [{ role: "user", content: toBlocks(request) }, ...toTurns(request.earlier)],
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
  };
}

function toBlocks({ parts, earlier }: ModelRequest): Anthropic.Messages.ContentBlockParam[] {
  const filled = parts.filter((part) => part.text.trim() !== "");
  if (filled.length === 0) return [{ type: "text", text: NO_TEXT }];
  const cached = filled.filter((part) => part.cache === true);
  const looked = earlier.some((exchange) => "blocks" in exchange);
  const breakpoints = new Set(cached.slice(looked ? 1 - MAX_CACHE_BREAKPOINTS : -MAX_CACHE_BREAKPOINTS));
  return filled.flatMap((part) => [
    {
      type: "text" as const,
      text: part.text,
      ...(breakpoints.has(part) ? { cache_control: { type: "ephemeral" as const } } : {}),
    },
    ...toImages(part),
  ]);
}

function toImages({ images = [] }: PromptPart): Anthropic.Messages.ImageBlockParam[] {
  return images.flatMap(({ mediaType: media_type, data }) =>
    data === undefined ? [] : [{ type: "image" as const, source: { type: "base64" as const, media_type, data } }],
  );
}

type ToolParams = Pick<Anthropic.Messages.MessageCreateParams, "tools" | "tool_choice">;

/** The tools of `request` as the API takes them, and whether they may be called; nothing where there are none. */
function toTools({ tools = [], mustAnswer }: ModelRequest): ToolParams {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => {
      // Which draft of JSON Schema it is would only be tokens.
      const { $schema: _, ...schema } = inputSchema;
      return { name, description, input_schema: { ...schema, type: "object" as const } };
    }),
    tool_choice: { type: mustAnswer === true ? "none" : "auto" },
  };
}

/** The API refuses empty text. */
/** What came before as turns of the conversation: the model's, then ours, for each exchange. */
function toTurns(earlier: readonly EarlierExchange[]): Anthropic.Messages.MessageParam[] {
  const text = (value: string): string => (value.trim() === "" ? NO_TEXT : value);
  const turns = earlier.flatMap((exchange): Anthropic.Messages.MessageParam[] =>
    "blocks" in exchange
      ? toolTurns(exchange, text)
      : [
          { role: "assistant", content: text(exchange.answer) },
          { role: "user", content: text(exchange.reply) },
        ],
  );
  return earlier.some((exchange) => "blocks" in exchange) ? withBreakpoint(turns) : turns;
}

function toolTurns(
  { blocks, results }: ToolExchange,
  text: (value: string) => string,
): Anthropic.Messages.MessageParam[] {
  const content = results.map((result) => ({
    type: "tool_result" as const,
    tool_use_id: result.id,
    content: text(result.text),
  }));
  return [
    { role: "assistant", content: blocks.flatMap((block) => toBlock(block)) },
    { role: "user", content },
  ];
}

/** Blocks go back as they came, but for what the API would refuse: empty text, unsigned thinking, an input that is no object. */
function toBlock(block: AnswerBlock): Anthropic.Messages.ContentBlockParam[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ type: block.type, text: block.text }];
    case "thinking":
      return block.signature === "" ? [] : [{ ...block }];
    case "redacted_thinking":
      return [{ ...block }];
    case "tool_use": {
      const { type, id, name, input } = block;
      const isObject = input !== null && typeof input === "object" && !Array.isArray(input);
      return [{ type, id, name, input: isObject ? input : { unreadable: input } }];
    }
  }
}

/** The last block marked for the cache: the next turn reads all that came before it from there. */
function withBreakpoint(turns: readonly Anthropic.Messages.MessageParam[]): Anthropic.Messages.MessageParam[] {
  const [last] = turns.slice(-1);
  if (last === undefined) return [];
  const blocks = typeof last.content === "string" ? [{ type: "text" as const, text: last.content }] : [...last.content];
  const [block] = blocks.splice(-1);
  const marked = { ...block, cache_control: { type: "ephemeral" } } as Anthropic.Messages.ContentBlockParam;
  return [...turns.slice(0, -1), { role: "user", content: [...blocks, marked] }];
}
