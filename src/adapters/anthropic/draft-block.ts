/** A block of an answer as far as it has arrived; `index` is the provider's number of it, where it gives one. */
export type DraftBlock = { readonly index: number | undefined } & (
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; data: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      /** what came with the block's start: all of it where the provider does not stream inputs */
      readonly input: unknown;
      /** what was streamed of the input */
      json: string;
    }
);
