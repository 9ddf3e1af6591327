import { z } from "zod";
import type { AnswerDraft, DraftBlock } from "../answer-draft.ts";

/** A text that may be missing or of another type. */
const textField = z.string().nullish().catch(undefined);

/** A content block: whole, or the start of one in a stream. */
const blockShape = z
  .object({
    type: textField,
    text: textField,
    thinking: textField,
    signature: textField,
    data: textField,
    id: textField,
    name: textField,
    input: z.unknown().optional(),
  })
  .nullish()
  .catch(undefined);

/** An addition to a block. */
const deltaShape = z
  .object({
    type: textField,
    text: textField,
    thinking: textField,
    signature: textField,
    partial_json: textField,
    stop_reason: textField,
  })
  .nullish()
  .catch(undefined);

/** Adds a block to `draft`; ignores unknown kinds. */
function readBlock(block: z.infer<typeof blockShape>, index: number | undefined, draft: AnswerDraft): void {
  if (!block) return;
  const { type, text, thinking, signature, data, id, name, input } = block;
  if (type === "text") draft.blocks.push({ index, type, text: text ?? "" });
  else if (type === "thinking") {
    draft.blocks.push({ index, type, thinking: thinking ?? "", signature: signature ?? "" });
  } else if (type === "redacted_thinking") draft.blocks.push({ index, type, data: data ?? "" });
  else if (type === "tool_use") {
    // Gateways may give no id. Any will do: only the call's result refers to it.
    const known = id || `call_${draft.blocks.length + 1}`;
    draft.blocks.push({ index, type, id: known, name: name ?? "", input, json: "" });
  }
}

/** Adds `delta` to its block, and begins the block if no start was sent. */
function readDelta(delta: z.infer<typeof deltaShape>, index: number | undefined, draft: AnswerDraft): void {
  if (delta?.type === "text_delta") find(draft, index, "text").text += delta.text ?? "";
  else if (delta?.type === "thinking_delta") find(draft, index, "thinking").thinking += delta.thinking ?? "";
  else if (delta?.type === "signature_delta") find(draft, index, "thinking").signature += delta.signature ?? "";
  else if (delta?.type === "input_json_delta") find(draft, index, "tool_use").json += delta.partial_json ?? "";
}

type Kind = DraftBlock["type"];

/** The block being streamed, by number and kind, since gateways may number all of them 0. */
function find<K extends Kind>(draft: AnswerDraft, index: number | undefined, kind: K): DraftBlock & { type: K } {
  const isIt = (block: DraftBlock): block is DraftBlock & { type: K } => block.type === kind && block.index === index;
  if (!draft.blocks.some(isIt)) readBlock({ type: kind }, index, draft);
  return draft.blocks.filter(isIt).at(-1) as DraftBlock & { type: K };
}

const count = z.number().nonnegative().nullish().catch(undefined);

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
  model: textField,
  stop_reason: textField,
  usage: usageShape,
  content: z.array(blockShape).nullish().catch(undefined),
});

/** Every field may be missing: gateways that imitate the API leave some out. */
const eventShape = z.object({
  type: textField,
  index: count,
  message: messageShape.nullish().catch(undefined),
  content_block: blockShape,
  delta: deltaShape,
  usage: usageShape,
});

type Usage = z.infer<typeof usageShape>;

/**
 * Adds one event of a Messages API stream to `draft`, or a whole message if the endpoint does not stream. Ignores
 * unknown kinds of events and blocks.
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
    // The start counts only the first token or two; `message_delta` counts the whole output.
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

/** Counts are totals of the whole message: later ones replace earlier ones, missing ones change nothing. */
function readUsage(usage: Usage, draft: AnswerDraft): void {
  draft.usage.input = usage?.input_tokens ?? draft.usage.input;
  draft.usage.cacheWrite = usage?.cache_creation_input_tokens ?? draft.usage.cacheWrite;
  draft.usage.cacheRead = usage?.cache_read_input_tokens ?? draft.usage.cacheRead;
  draft.usage.output = usage?.output_tokens ?? draft.usage.output;
}
