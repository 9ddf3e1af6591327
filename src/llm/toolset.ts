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
  /**
   * Gives what is found as text, cut visibly where it is long; what is wrong with the input is said as text too. `room`:
   * characters that there are for it, when they are fewer than the tool's own limit.
   */
  run(input: unknown, room?: number): Promise<string>;
}

/** What an agent may look up before it answers one question. */
export interface Toolset {
  readonly tools: readonly Tool[];
  /** how often it may call tools, several at a time, before it has to answer */
  readonly turns: number;
  /** characters of results that the question may gather; `LOOKUP_ROOM` without it */
  readonly room?: number;
  /**
   * Few questions of this kind look anything up: their prompts are not kept for a second turn. A mark costs a quarter of the
   * prompt, and saves nine tenths of it when it is sent again: it pays where more than about one question in four is.
   */
  readonly rare?: boolean;
}

/** Calls of one turn that are carried out. */
const AT_ONCE = 8;

/** Characters of results that one question may gather. */
export const LOOKUP_ROOM = 20_000;

/** Less of a result tells nothing. */
const LEAST = 400;

/** A turn resends all that came before it: for fewer characters than these there is none. */
const WORTH_A_TURN = 3_000;

/** How many more tool calls a run may make; shared by all its agents. */
export interface Lookups {
  left: number;
}

const NO_MORE = "Nothing more can be looked up now. Work with what you have.";

/** Whether a question that has `gathered` so many characters of results may look up more. */
export const hasRoom = (gathered: number, { room = LOOKUP_ROOM }: Toolset, lookups: Lookups): boolean =>
  gathered + WORTH_A_TURN < room && lookups.left > 0;

/**
 * Carries out the tool calls of an answer. `gathered`: characters of results that the same question has had. What is left
 * of its room is divided among the calls, small results first, and told behind the last one while there are turns for more; calls for which there is
 * none, and those beyond what the run may look up, are answered with a sentence that says so.
 */
export async function useTools(
  blocks: readonly AnswerBlock[],
  toolset: Toolset,
  { gathered, lookups }: { readonly gathered: number; readonly lookups: Lookups },
): Promise<ToolExchange> {
  const calls = blocks.filter((block) => block.type === "tool_use");
  const most = hasRoom(gathered, toolset, lookups) ? Math.min(AT_ONCE, lookups.left) : 0;
  const asked = calls.slice(0, most);
  lookups.left -= asked.length;
  const { room = LOOKUP_ROOM } = toolset;
  const found: string[] = [];
  for (const call of asked) found.push(await run(call, toolset));
  const shares = divideRoom(
    found.map(({ length }) => length),
    room - gathered,
    LEAST,
  );
  for (const [at, call] of asked.entries()) {
    const share = shares[at] ?? 0;
    if ((found[at]?.length ?? 0) > share) found[at] = await run(call, toolset, share);
  }
  const used = gathered + found.reduce((sum, { length }) => sum + length, 0);
  const more = toolset.turns > 2 || (toolset.turns === 2 && gathered === 0);
  const told = more ? `\n\n(${Math.max(0, room - used)} of ${room} characters are left for look-ups.)` : "";
  const results = calls.map(({ id }, at) => {
    const text = found[at] ?? NO_MORE;
    return { id, text: at === asked.length - 1 ? `${text}${told}` : text };
  });
  return { blocks, results };
}

/**
 * How much of `room` each of several texts may take, by their lengths: short ones what they need, the long ones the same
 * of what is left, at least `least`.
 */
export function divideRoom(lengths: readonly number[], room: number, least: number): readonly number[] {
  const shares: number[] = [];
  const ordered = lengths.map((length, at) => ({ length, at })).sort((a, b) => a.length - b.length || a.at - b.at);
  let left = room;
  for (const [index, { length, at }] of ordered.entries()) {
    const share = Math.min(length, Math.max(least, Math.floor(left / (ordered.length - index))));
    shares[at] = share;
    left -= share;
  }
  return shares;
}

/** The results' characters of an exchange. */
export function charactersOf({ results }: ToolExchange): number {
  return results.reduce((sum, { text }) => sum + text.length, 0);
}

async function run({ name, input }: ToolCall, { tools }: Toolset, room?: number): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return `There is no tool ${name}. The tools are: ${tools.map((one) => one.name).join(", ")}.`;
  const parsed = tool.shape.safeParse(input);
  return parsed.success
    ? tool.run(parsed.data, room)
    : `The input of ${name} is wrong:\n${z.prettifyError(parsed.error)}`;
}
