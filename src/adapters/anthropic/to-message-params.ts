import type Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { Effort, ModelRequest, PromptPart } from "../../ports/language-model.ts";
import { toTools } from "./to-tools.ts";
import { toTurns } from "./to-turns.ts";

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
