import { z } from "zod";
import type { AnswerDraft } from "./answer-draft.ts";
import { blockShape, deltaShape, readBlock, readDelta } from "./read-block.ts";

const count = z.number().nonnegative().nullish().catch(undefined);
const words = z.string().nullish().catch(undefined);

const usageShape = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
  })
  .nullish()
  .catch(undefined);

const messageShape = z.object({
  model: words,
  stop_reason: words,
  usage: usageShape,
  content: z.array(blockShape).nullish().catch(undefined),
});

/** Every field may be missing: gateways that imitate the API leave some out. */
const eventShape = z.object({
  type: words,
  index: count,
  message: messageShape.nullish().catch(undefined),
  content_block: blockShape,
  delta: deltaShape,
  usage: usageShape,
});

type Usage = z.infer<typeof usageShape>;

/**
 * Adds one event of a Messages API stream to `draft`, or a whole message when the endpoint does not stream.
 * Kinds of events and blocks it does not know are passed over.
 */
export function readAnswer(event: unknown, draft: AnswerDraft): void {
  const read = eventShape.safeParse(event);
  if (!read.success) return;
  const { type, message, content_block: block, delta, usage } = read.data;
  const index = read.data.index ?? undefined;
  if (type === "message") {
    readMessage(messageShape.parse(event), draft);
    draft.finished = true;
  } else if (type === "message_start") {
    readMessage(message, draft);
    // A start counts the first token or two only; the whole output comes with `message_delta`.
    draft.usage.output = undefined;
  }
  if (type === "content_block_start") readBlock(block, index, draft);
  else if (type === "content_block_delta") readDelta(delta, index, draft);
  else if (type === "message_delta") {
    draft.stopReason = delta?.stop_reason ?? draft.stopReason;
    readUsage(usage, draft);
  } else if (type === "message_stop") draft.finished = true;
}

function readMessage(message: z.infer<typeof messageShape> | null | undefined, draft: AnswerDraft): void {
  draft.model = message?.model ?? draft.model;
  draft.stopReason = message?.stop_reason ?? draft.stopReason;
  readUsage(message?.usage, draft);
  for (const [index, block] of (message?.content ?? []).entries()) readBlock(block, index, draft);
}

/** Counts are totals of the whole message: a later one replaces an earlier one, a missing one changes nothing. */
function readUsage(usage: Usage, draft: AnswerDraft): void {
  draft.usage.input = usage?.input_tokens ?? draft.usage.input;
  draft.usage.cacheWrite = usage?.cache_creation_input_tokens ?? draft.usage.cacheWrite;
  draft.usage.cacheRead = usage?.cache_read_input_tokens ?? draft.usage.cacheRead;
  draft.usage.output = usage?.output_tokens ?? draft.usage.output;
}
