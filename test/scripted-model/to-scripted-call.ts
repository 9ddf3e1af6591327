import type { Block, MessageBody } from "./message-body.ts";
import type { EarlierTurns, LookedUp, ScriptedCall } from "./scripted-call.ts";
import { textOf } from "./text-of.ts";
import { toBlocks } from "./to-blocks.ts";

const FIRST_LINE = /^MAGIS prompt (\S+)\r?(?:\n|$)/;

/** The whole question of `magis doctor --call`, which uses no prompt. */
const TRIAL = "Answer with the word ok.";

/** The script's view of `body`, without `n`; undefined if no block of the first message begins with a prompt id. */
export function toScriptedCall(body: MessageBody): Omit<ScriptedCall, "n"> | undefined {
  const [first, ...others] = body.messages.map((message) => message.content);
  // Only the beginning of the last such block counts: an issue or a file may contain such a line too.
  const names = toBlocks(first).flatMap((block) => FIRST_LINE.exec(textOf([block]))?.[1] ?? []);
  const promptId = names.at(-1) ?? (textOf(first) === TRIAL ? "doctor" : undefined);
  if (promptId === undefined) return undefined;
  const earlier: EarlierTurns[] = [];
  for (let at = 0; at + 1 < others.length; at += 2) {
    const [blocks, replies] = [toBlocks(others[at]), toBlocks(others[at + 1])];
    const looked = lookedUp(blocks, replies);
    const turns = sentBack(blocks, replies) ?? { answer: textOf(others[at]), reply: textOf(others[at + 1]) };
    earlier.push(looked.length === 0 ? turns : { ...turns, looked });
  }
  const schema = body.output_config?.format?.schema;
  return {
    promptId,
    model: body.model,
    system: textOf(body.system),
    text: textOf(first),
    earlier,
    looked: earlier.flatMap((turns) => turns.looked ?? []),
    tools: (body.tools ?? []).map((tool) => tool.name),
    mustAnswer: body.tools === undefined || ["none", "tool"].includes(body.tool_choice?.type ?? "auto"),
    schema,
  };
}

/** An answer by a tool call that was sent back, as if it were text; undefined if there is none. */
function sentBack(answer: readonly Block[], reply: readonly Block[]): EarlierTurns | undefined {
  const wrong = reply.find((block) => block.type === "tool_result" && block.is_error === true);
  if (wrong?.type !== "tool_result") return undefined;
  const call = answer.find((block) => block.type === "tool_use" && block.id === wrong.tool_use_id);
  return { answer: call?.type === "tool_use" ? JSON.stringify(call.input) : "", reply: textOf(wrong.content) };
}

function lookedUp(answer: readonly Block[], reply: readonly Block[]): LookedUp[] {
  return answer.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block;
    const found = reply.find((result) => result.type === "tool_result" && result.tool_use_id === id);
    if (found?.type === "tool_result" && found.is_error === true) return [];
    return [{ name, input, result: found?.type === "tool_result" ? textOf(found.content) : "" }];
  });
}
