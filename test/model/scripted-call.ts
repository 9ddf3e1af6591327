/** One call as a script sees it. */
export interface ScriptedCall {
  /** from the line `MAGIS prompt <id>` that a block of the first user message begins with */
  readonly promptId: string;
  readonly model: string;
  /** the system text */
  readonly system: string;
  /** all text of the first user message, the line with the prompt id included */
  readonly text: string;
  /** the exchanges that came before, oldest first */
  readonly earlier: readonly { readonly answer: string; readonly reply: string }[];
  /** JSON Schema of a structured answer */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** 1 for the first call with this prompt id, retries of the client counted too */
  readonly n: number;
}
