import type Anthropic from "@anthropic-ai/sdk";
import type { AnswerBlock, EarlierExchange, ToolExchange } from "../../ports/language-model.ts";

/** The API refuses empty text. */
const NO_TEXT = "(empty)";

/** What came before as turns of the conversation: the model's, then ours, for each exchange. */
export function toTurns(earlier: readonly EarlierExchange[]): Anthropic.Messages.MessageParam[] {
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
