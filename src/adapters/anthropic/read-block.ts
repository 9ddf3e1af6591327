import { z } from "zod";
import type { AnswerDraft } from "./answer-draft.ts";
import type { DraftBlock } from "./draft-block.ts";

const words = z.string().nullish().catch(undefined);

/** A content block, whole or at its start, of a stream. */
export const blockShape = z
  .object({
    ...{ type: words, text: words, thinking: words, signature: words },
    ...{ data: words, id: words, name: words, input: z.unknown().optional() },
  })
  .nullish()
  .catch(undefined);

/** What is added to a block. */
export const deltaShape = z
  .object({
    ...{ type: words, text: words, thinking: words, signature: words },
    ...{ partial_json: words, stop_reason: words },
  })
  .nullish()
  .catch(undefined);

/** Adds a block to `draft`; one of a kind that is not known is passed over. */
export function readBlock(block: z.infer<typeof blockShape>, index: number | undefined, draft: AnswerDraft): void {
  if (!block) return;
  const { type, text, thinking, signature, data, id, name, input } = block;
  if (type === "text") draft.blocks.push({ index, type, text: text ?? "" });
  else if (type === "thinking") {
    draft.blocks.push({ index, type, thinking: thinking ?? "", signature: signature ?? "" });
  } else if (type === "redacted_thinking") draft.blocks.push({ index, type, data: data ?? "" });
  else if (type === "tool_use") {
    // Only a result has to name the call, so a gateway that gives no id is given one.
    const known = id || `call_${draft.blocks.length + 1}`;
    draft.blocks.push({ index, type, id: known, name: name ?? "", input, json: "" });
  }
}

/** Adds `delta` to the block it belongs to, which begins with it where no start was sent. */
export function readDelta(delta: z.infer<typeof deltaShape>, index: number | undefined, draft: AnswerDraft): void {
  if (delta?.type === "text_delta") find(draft, index, "text").text += delta.text ?? "";
  else if (delta?.type === "thinking_delta") find(draft, index, "thinking").thinking += delta.thinking ?? "";
  else if (delta?.type === "signature_delta") find(draft, index, "thinking").signature += delta.signature ?? "";
  else if (delta?.type === "input_json_delta") find(draft, index, "tool_use").json += delta.partial_json ?? "";
}

type Kind = DraftBlock["type"];

/** The block that is being streamed: by number and kind, since gateways may number all of them 0. */
function find<K extends Kind>(draft: AnswerDraft, index: number | undefined, kind: K): DraftBlock & { type: K } {
  const isIt = (block: DraftBlock): block is DraftBlock & { type: K } => block.type === kind && block.index === index;
  if (!draft.blocks.some(isIt)) readBlock({ type: kind }, index, draft);
  return draft.blocks.filter(isIt).at(-1) as DraftBlock & { type: K };
}
