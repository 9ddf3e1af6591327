import type { AnswerDraft } from "./answer-draft.ts";

/** The answer's text so far: that of all its text blocks. */
export function textOfDraft({ blocks }: AnswerDraft): string {
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}
