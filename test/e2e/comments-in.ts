import type { ScriptedCall } from "../scripted-model/scripted-call.ts";

/** The ids of the review comments that a call lists. */
export function commentsIn({ text }: ScriptedCall): readonly { readonly id: string; readonly words: string }[] {
  const list = /(?:What must be put right:|that are still open:)\n([\s\S]*)/.exec(text)?.[1] ?? "";
  return [
    ...list.matchAll(
      /^- (t\d+-r\d+-\d+)(.*(?:\n(?!- t\d+-r)(?!Do the whole|Review the change|Why:|Write the change|You can look|Does the change).*)*)/gm,
    ),
  ].map(([, id = "", words = ""]) => ({ id, words }));
}
