import { defaultAnswers, type ScriptedFiles } from "./default-answers.ts";

/** The input and the result of one tool call. */
export interface LookedUp {
  name: string;
  input: unknown;
  result: string;
}

/** One call as a script sees it, over HTTP or within the process. */
export interface Call {
  promptId: string;
  /** all text of the first user message */
  text: string;
  /** counts the calls of this prompt from 1, repeats and turns with tool results included */
  nth: number;
  /** all look-ups so far, oldest first */
  looked: readonly LookedUp[];
}

/** An error of the Messages API. */
export interface ApiError {
  status: number;
  type: string;
  message: string;
  /** seconds */
  retryAfter?: number;
}

/** Tool calls. Over HTTP they are checked against the tools on offer, unless `raw`. */
export interface ToolAnswer {
  tools: readonly { name: string; input: unknown }[];
  text?: string;
  raw?: true;
}

/** A text, a structured answer (over HTTP it has to fit the request's schema), or what else may come. */
export type Answer =
  | string
  | object
  | ToolAnswer
  /** a text in place of a structured answer */
  | { raw: string }
  | { stop: "refusal" | "length"; text?: string }
  /** over HTTP: an error, or a connection that ends or reports `overloaded` half way */
  | { error: ApiError }
  | { cut: true | "overloaded"; text?: string }
  /** within the process: to be thrown */
  | Error;

/** Gives the answer to a call; undefined when it knows none, which is a fault. */
export type Script<C extends Call = Call> = (call: C) => Answer | undefined | Promise<Answer | undefined>;

/** What a test cares for, by prompt id; a function that gives undefined leaves the call to the default. */
export type Answers<C extends Call = Call> = Readonly<Record<string, Answer | Script<C>>>;

/** A model that answers as `answers` say, and all else by default, as `files` say. */
export function createScript<C extends Call = Call>({
  answers = {},
  ...files
}: ScriptedFiles & { answers?: Answers<C> } = {}) {
  const defaults = defaultAnswers(files);
  return async (call: C): Promise<Answer | undefined> => {
    const own = answers[call.promptId];
    return (typeof own === "function" ? await own(call) : own) ?? defaults[call.promptId]?.(call);
  };
}
