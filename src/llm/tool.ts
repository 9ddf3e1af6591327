import type { z } from "zod";

/** A read-only tool of the Messages API that an agent may use before it answers. */
export interface Tool {
  /** `search`, `read`, `list`, `find_symbol`, `find_references` */
  readonly name: string;
  /** for the model: what it gives and when to use it */
  readonly description: string;
  /** of its input; checked before `run` */
  readonly shape: z.ZodObject;
  /** Gives what is found as text, cut visibly where it is long; what is wrong with the input is said as text too. */
  run(input: unknown): Promise<string>;
}

/** What an agent may look up before it answers one question. */
export interface Toolset {
  readonly tools: readonly Tool[];
  /** how often it may call tools, several at a time, before it has to answer */
  readonly turns: number;
}
