/** What was looked up: the input and the result of one tool call. */
export interface LookedUp {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** An exchange that came before: a wrong answer and what was said to it, or (with `looked`) tool calls. */
export interface EarlierTurns {
  /** the text, which tool calls may do without */
  readonly answer: string;
  /** the text, empty where there are only results */
  readonly reply: string;
  /** of an exchange that called tools, in the order of the calls */
  readonly looked?: readonly LookedUp[];
}

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
  readonly earlier: readonly EarlierTurns[];
  /** all that was looked up in them, oldest first */
  readonly looked: readonly LookedUp[];
  /** JSON Schema of a structured answer */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** names of the tools on offer */
  readonly tools: readonly string[];
  /** nothing can be looked up (any more): there are no tools, none may be called, or one is forced */
  readonly mustAnswer: boolean;
  /** 1 for the first call with this prompt id, retries of the client and turns with tool results counted too */
  readonly n: number;
}
