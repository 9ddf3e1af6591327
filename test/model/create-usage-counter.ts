import type { MessageBody } from "./message-body.ts";
import { toBlocks } from "./to-blocks.ts";

/** Tokens as the API reports them. */
export interface Usage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Counts input at four characters a token; a prefix up to a cache breakpoint that was seen before is a cache read. */
export function createUsageCounter(): (body: MessageBody) => Usage {
  const seen = new Set<string>();
  return (body) => {
    const schema = JSON.stringify(body.output_config?.format?.schema ?? "");
    const blocks = [...toBlocks(body.system), ...body.messages.flatMap((message) => toBlocks(message.content))];
    let prefix = `${body.model}\n${schema}`;
    let length = schema.length;
    let read = 0;
    let cached = 0;
    const written: string[] = [];
    for (const block of blocks) {
      prefix += `\n${block.text}`;
      length += block.text.length;
      if (!block.cache_control) continue;
      cached = length;
      if (seen.has(prefix)) read = length;
      written.push(prefix);
    }
    for (const each of written) seen.add(each);
    const tokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
    return {
      input_tokens: tokens(length - cached),
      cache_creation_input_tokens: tokens(cached - read),
      cache_read_input_tokens: tokens(read),
      output_tokens: 1,
    };
  };
}
