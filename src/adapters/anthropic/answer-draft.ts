import type { DraftBlock } from "./draft-block.ts";

/** What has arrived of an answer; it is kept when the stream breaks, because it was paid for. */
export interface AnswerDraft {
  /** in the order of their beginnings; kinds that are not known are left out */
  readonly blocks: DraftBlock[];
  model: string | undefined;
  stopReason: string | undefined;
  /** the provider has accepted the request and begun to answer */
  began: boolean;
  /** the provider has said that the message is complete */
  finished: boolean;
  /** tokens as reported; undefined where the provider has said nothing */
  usage: {
    input: number | undefined;
    cacheWrite: number | undefined;
    cacheRead: number | undefined;
    output: number | undefined;
  };
}
