import { type Block, type MessageBody, textOf, toBlocks } from "./message-body.ts";

/** Tokens as the API reports them. */
export interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

const CHARACTERS_PER_TOKEN = 4;
/** How many blocks up to a breakpoint the API looks at. */
const LOOK_BACK = 20;

/**
 * Counts input at four characters per token; a known prefix up to a cache breakpoint is a cache read. As with the API,
 * other tools make another prefix, and another tool_choice changes the prefix of all messages.
 */
export function createUsageCounter(): (body: MessageBody) => Usage {
  const seen = new Set<string>();
  return (body) => {
    const schema = JSON.stringify(body.output_config?.format?.schema ?? "");
    const tools = body.tools === undefined ? "" : JSON.stringify(body.tools);
    const system = toBlocks(body.system);
    const blocks = [...system, ...body.messages.flatMap((message) => toBlocks(message.content))];
    let prefix = `${body.model}\n${schema}\n${tools}`;
    let length = schema.length + tools.length;
    let read = 0;
    let cached = 0;
    const ends: { prefix: string; length: number }[] = [];
    const written: string[] = [];
    for (const [at, block] of blocks.entries()) {
      if (at === system.length) prefix += `\n${JSON.stringify(body.tool_choice ?? "")}`;
      const content = contentOf(block);
      prefix += `\n${content}`;
      length += content.length;
      ends.push({ prefix, length });
      if (!("cache_control" in block) || !block.cache_control) continue;
      cached = length;
      written.push(prefix);
      // An earlier breakpoint is found even if it is not marked this time.
      read = ends.slice(-LOOK_BACK).findLast((end) => seen.has(end.prefix))?.length ?? read;
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

function contentOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "thinking") return block.thinking + block.signature;
  if (block.type === "redacted_thinking") return block.data;
  if (block.type === "tool_use") return block.id + block.name + JSON.stringify(block.input);
  return block.tool_use_id + textOf(block.content);
}
