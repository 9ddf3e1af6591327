/** A look-up: the input and the result of one tool call. */
export interface LookedUp {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** An earlier exchange: a wrong answer and the reply to it, or (with `looked`) tool calls. */
export interface EarlierTurns {
  /** the text, which may be missing beside tool calls */
  readonly answer: string;
  /** the text, empty if there are only results */
  readonly reply: string;
  /** the look-ups of an exchange that called tools, in order */
  readonly looked?: readonly LookedUp[];
}

/** One call as a script sees it. */
export interface ScriptedCall {
  /** from the line `MAGIS prompt <id>` that begins a block of the first user message */
  readonly promptId: string;
  readonly model: string;
  /** the system text */
  readonly system: string;
  /** all text of the first user message, with the line of the prompt id */
  readonly text: string;
  /** the earlier exchanges, oldest first */
  readonly earlier: readonly EarlierTurns[];
  /** all their look-ups, oldest first */
  readonly looked: readonly LookedUp[];
  /** JSON Schema of a structured answer */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** names of the offered tools */
  readonly tools: readonly string[];
  /** nothing can be looked up: there are no tools, none may be called, or one is forced */
  readonly mustAnswer: boolean;
  /** counts the calls with this prompt id from 1, including the client's retries and turns with tool results */
  readonly n: number;
}
