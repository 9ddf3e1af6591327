import type { ScriptedCall } from "../scripted-model/scripted-call.ts";

const AFTER_LIST = "- t\\d+-r|Do the whole|Review the change|Why:|Write the change|You can look|Does the change";
const COMMENT = new RegExp(String.raw`^- (t\d+-r\d+-\d+)(.*(?:\n(?!${AFTER_LIST}).*)*)`, "gm");

/** The ids of the review comments that a call lists. */
export function commentsIn({ text }: ScriptedCall): readonly { readonly id: string; readonly words: string }[] {
  const list = /(?:What must be put right:|that are still open:)\n([\s\S]*)/.exec(text)?.[1] ?? "";
  return [...list.matchAll(COMMENT)].map(([, id = "", words = ""]) => ({ id, words }));
}
