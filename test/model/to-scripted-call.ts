import type { MessageBody } from "./message-body.ts";
import type { ScriptedCall } from "./scripted-call.ts";
import { toBlocks } from "./to-blocks.ts";

const FIRST_LINE = /^MAGIS prompt (\S+)\r?(?:\n|$)/;

/** What a script sees of `body`, without `n`; undefined when no block of the first message begins with a prompt id. */
export function toScriptedCall(body: MessageBody): Omit<ScriptedCall, "n"> | undefined {
  const [first = "", ...others] = body.messages.map((message) => textOf(message.content));
  // Only the beginning of a block counts, and the last one: an issue or a file may hold such a line as well.
  const names = toBlocks(body.messages[0]?.content).flatMap((block) => FIRST_LINE.exec(block.text)?.[1] ?? []);
  const promptId = names.at(-1);
  if (promptId === undefined) return undefined;
  const earlier = [];
  for (let at = 0; at + 1 < others.length; at += 2) {
    earlier.push({ answer: others[at] ?? "", reply: others[at + 1] ?? "" });
  }
  const schema = body.output_config?.format?.schema;
  return {
    promptId,
    model: body.model,
    system: textOf(body.system),
    text: first,
    earlier,
    ...(schema === undefined ? {} : { schema }),
  };
}

function textOf(content: MessageBody["system"]): string {
  return toBlocks(content)
    .map((block) => block.text)
    .join("\n");
}
