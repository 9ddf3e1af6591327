import type { AnswerDraft } from "./answer-draft.ts";

/** An answer of which nothing has arrived. */
export function startAnswerDraft(): AnswerDraft {
  return {
    blocks: [],
    model: undefined,
    stopReason: undefined,
    began: false,
    finished: false,
    usage: { input: undefined, cacheWrite: undefined, cacheRead: undefined, output: undefined },
  };
}
