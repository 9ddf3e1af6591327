import type Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { Effort } from "../../data/settings.ts";
import type {
  AnswerBlock,
  EarlierExchange,
  ModelRequest,
  PromptPart,
  ToolDefinition,
  ToolExchange,
} from "../language-model.ts";

/** The API accepts four marks; the last ones end the longest prefixes. */
const MAX_CACHE_BREAKPOINTS = 4;

const MARK = { cache_control: { type: "ephemeral" } } as const;

/** The API refuses empty text. */
const NO_TEXT = "(empty)";

/**
 * `request` as a body of the Messages API. Sampling parameters are never sent: the current models refuse them.
 * Limits such as `maximum` or `pattern` move from the schema into its descriptions, because the API takes none.
 * `strict: false`: for an endpoint that refuses tools that are.
 */
export function toMessageParams(
  request: ModelRequest,
  model: string,
  effort: Effort | undefined,
  strict = true,
): Anthropic.Messages.MessageCreateParamsStreaming {
  const format = request.schema && {
    type: "json_schema" as const,
    schema: transformJSONSchema({ ...request.schema }),
  };
  return {
    model,
    max_tokens: request.maxTokens,
    stream: true,
    ...toSystem(request),
    ...toTools(request, strict),
    messages: kept([{ role: "user", content: toBlocks(request) }, ...toTurns(request.earlier)], request.keep),
    output_config: effort || format ? { effort, format } : undefined,
  };
}

/**
 * The system text, marked if there are tools before it: together they are long enough, and many conversations share
 * them.
 */
function toSystem({ system, tools = [] }: ModelRequest): Pick<Anthropic.Messages.MessageCreateParams, "system"> {
  if (system === "") return {};
  return { system: tools.length === 0 ? system : [{ type: "text", text: system, ...MARK }] };
}

/**
 * The parts, with marks at the ends of the last cached ones. A conversation with tools needs a mark for the system text,
 * and one or two for its turns.
 */
function toBlocks({ parts, tools = [], keep = 0 }: ModelRequest): Anthropic.Messages.ContentBlockParam[] {
  const filled = parts.filter((part) => part.text.trim() !== "");
  if (filled.length === 0) return [{ type: "text", text: NO_TEXT }];
  const cached = filled.filter((part) => part.cache === true && (tools.length > 0 || part.images === undefined));
  const room = tools.length === 0 ? MAX_CACHE_BREAKPOINTS : MAX_CACHE_BREAKPOINTS - (keep > 0 ? 3 : 2);
  const marked = new Set(cached.slice(-room));
  return filled.flatMap((part) => {
    const blocks = [{ type: "text" as const, text: part.text }, ...toImages(part)];
    return marked.has(part) ? withMark(blocks) : blocks;
  });
}

function withMark(blocks: readonly Anthropic.Messages.ContentBlockParam[]): Anthropic.Messages.ContentBlockParam[] {
  const last = blocks.length - 1;
  return blocks.map((block, at) => (at === last ? ({ ...block, ...MARK } as typeof block) : block));
}

/**
 * `turns` with marks where the conversation may continue and where it continued before: a turn may have more blocks
 * than the API looks back.
 */
function kept(
  turns: readonly Anthropic.Messages.MessageParam[],
  keep: number | undefined,
): Anthropic.Messages.MessageParam[] {
  const ends = keep === undefined ? [] : [keep - 1, keep].map((exchanges) => exchanges * 2);
  return turns.map((turn, at) => {
    if (!ends.includes(at) || turn.role !== "user") return turn;
    const { role, content } = turn;
    return { role, content: withMark(typeof content === "string" ? [{ type: "text", text: content }] : content) };
  });
}

function toImages({ images = [] }: PromptPart): Anthropic.Messages.ImageBlockParam[] {
  return images.flatMap(({ mediaType: media_type, data }) =>
    data === undefined ? [] : [{ type: "image" as const, source: { type: "base64" as const, media_type, data } }],
  );
}

type ToolParams = Pick<Anthropic.Messages.MessageCreateParams, "tools" | "tool_choice">;

/** The tools of `request` in the API's form, and whether one must be called; nothing if there are none. */
function toTools({ tools = [], answerBy, mustAnswer }: ModelRequest, strict: boolean): ToolParams {
  if (tools.length === 0) return {};
  const forced = mustAnswer === true && answerBy !== undefined;
  return {
    tools: tools.map((tool) => toTool(tool, strict)),
    tool_choice: forced ? { type: "tool", name: answerBy } : { type: "auto" },
  };
}

function toTool({ name, description, inputSchema, ...tool }: ToolDefinition, strict: boolean): Anthropic.Messages.Tool {
  const type = "object" as const;
  if (strict && tool.strict) {
    return { name, description, strict, input_schema: { ...transformJSONSchema({ ...inputSchema }), type } };
  }
  // The draft of JSON Schema would only cost tokens.
  const { $schema: _, ...schema } = inputSchema;
  return { name, description, input_schema: { ...schema, type } };
}

/** Earlier exchanges as turns of the conversation: the model's, then ours. */
function toTurns(earlier: readonly EarlierExchange[]): Anthropic.Messages.MessageParam[] {
  const text = (value: string): string => (value.trim() === "" ? NO_TEXT : value);
  return earlier.flatMap((exchange): Anthropic.Messages.MessageParam[] =>
    "blocks" in exchange
      ? toolTurns(exchange, text)
      : [
          { role: "assistant", content: text(exchange.answer) },
          { role: "user", content: text(exchange.reply) },
        ],
  );
}

function toolTurns(
  { blocks, results, word = "" }: ToolExchange,
  text: (value: string) => string,
): Anthropic.Messages.MessageParam[] {
  const content = results.map((result) => ({
    type: "tool_result" as const,
    tool_use_id: result.id,
    content: text(result.text),
    is_error: result.isError || undefined,
  }));
  return [
    { role: "assistant", content: blocks.flatMap((block) => toBlock(block)) },
    { role: "user", content: word === "" ? content : [...content, { type: "text", text: word }] },
  ];
}

/**
 * Blocks go back as they came, except for what the API would refuse: empty text, unsigned thinking, an input that is
 * not an object.
 */
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
