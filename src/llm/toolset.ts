import { z } from "zod";
import type { AnswerBlock, ToolCall, ToolExchange } from "../ports/language-model.ts";

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

/** Calls of one turn that are carried out. */
const AT_ONCE = 8;

/** Characters of results that one question may gather. */
const MAX_CHARACTERS = 40_000;

/** How many more tool calls a run may make; shared by all its agents. */
export interface Lookups {
  left: number;
}

/**
 * Carries out the tool calls of an answer. `gathered`: characters of results that the same question has had; beyond a
 * limit, and when the run has no lookups left, a call is answered with a sentence that says so.
 */
export async function useTools(
  blocks: readonly AnswerBlock[],
  toolset: Toolset,
  { gathered, lookups }: { readonly gathered: number; readonly lookups: Lookups },
): Promise<ToolExchange> {
  const calls = blocks.filter((block) => block.type === "tool_use");
  const results: { id: string; text: string }[] = [];
  let characters = gathered;
  for (const [index, call] of calls.entries()) {
    const full = index >= AT_ONCE || characters >= MAX_CHARACTERS || lookups.left <= 0;
    const text = full ? "Nothing more can be looked up now. Work with what you have." : await run(call, toolset);
    if (!full) lookups.left -= 1;
    characters += text.length;
    results.push({ id: call.id, text });
  }
  return { blocks, results };
}

/** The same exchange with a word at its end that it was the last one. */
export function asLast({ blocks, results }: ToolExchange): ToolExchange {
  const word = "(That was the last time: answer now, with what you have.)";
  return {
    blocks,
    results: results.map((one, at) => (at === results.length - 1 ? { ...one, text: `${one.text}\n\n${word}` } : one)),
  };
}

/** The results' characters of an exchange. */
export function charactersOf({ results }: ToolExchange): number {
  return results.reduce((sum, { text }) => sum + text.length, 0);
}

async function run({ name, input }: ToolCall, { tools }: Toolset): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return `There is no tool ${name}. The tools are: ${tools.map((one) => one.name).join(", ")}.`;
  const parsed = tool.shape.safeParse(input);
  return parsed.success ? tool.run(parsed.data) : `The input of ${name} is wrong:\n${z.prettifyError(parsed.error)}`;
}
