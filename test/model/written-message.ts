import type { Usage } from "./create-usage-counter.ts";

/** A message about to be written to the wire. */
export interface WrittenMessage {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly stopReason: "end_turn" | "max_tokens" | "refusal";
  /** an empty thinking block comes first */
  readonly thinks: boolean;
  readonly usage: Usage;
  readonly cut?: true | "overloaded";
}
