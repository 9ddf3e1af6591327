import type { Block, MessageBody } from "./message-body.ts";
import { toBlocks } from "./to-blocks.ts";

/** The API's objections to the answers to tool calls in a well-formed conversation, as sentences. */
export function checkToolTurns({ messages, tools = [] }: Pick<MessageBody, "messages" | "tools">): string[] {
  const turns = messages.map((message) => toBlocks(message.content));
  const faults = turns.flatMap((blocks, at) => [
    ...checkAnswered(blocks, turns[at + 1] ?? [], `messages.${at}`),
    ...checkResults(blocks, turns[at - 1] ?? [], `messages.${at}`),
  ]);
  const all = turns.flatMap((blocks) => callsOf(blocks));
  if (new Set(all).size < all.length) faults.push("messages: `tool_use` ids must be unique");
  if (all.length > 0 && tools.length === 0) faults.push("Requests which have tool use blocks must define tools.");
  return faults;
}

function checkAnswered(blocks: readonly Block[], next: readonly Block[], name: string): string[] {
  const results = new Set(next.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])));
  const open = callsOf(blocks).filter((id) => !results.has(id));
  if (open.length === 0) return [];
  return [`${name}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}.`];
}

function checkResults(blocks: readonly Block[], before: readonly Block[], name: string): string[] {
  const calls = new Set(callsOf(before));
  const seen = new Set<string>();
  const faults: string[] = [];
  blocks.forEach((block, at) => {
    if (block.type !== "tool_result") return;
    const id = block.tool_use_id;
    if (!calls.has(id))
      faults.push(`${name}.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`);
    if (seen.has(id)) faults.push(`${name}.${at}: each tool_use must have a single result: ${id}.`);
    if (blocks[at - 1] !== undefined && blocks[at - 1]?.type !== "tool_result") {
      faults.push(`${name}.${at}: \`tool_result\` blocks must come first.`);
    }
    seen.add(id);
  });
  return faults;
}

function callsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}
