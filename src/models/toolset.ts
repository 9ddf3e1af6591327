import { z } from "zod";
import type { AnswerBlock, ToolCall, ToolExchange } from "./language-model.ts";

/** A read-only tool that an agent may use before it answers. */
export interface Tool {
  /** `search`, `read` */
  name: string;
  /** tells the model what the tool gives and when to use it */
  description: string;
  /** its input's shape, checked before `run` */
  shape: z.ZodObject;
  /**
   * Gives the results as text, with a note where they are cut; errors in the input are given as text, too. `room`: the
   * characters left for it, if fewer than the tool's own limit.
   */
  run(input: unknown, room?: number): Promise<string>;
}

/** The tools for one question, and how much they may be used. */
export interface Toolset {
  tools: readonly Tool[];
  /** how many turns may call tools, each several at a time, before the agent has to answer */
  turns: number;
  /** characters of results per question; `LOOKUP_ROOM` by default */
  room?: number;
  /**
   * Questions of this kind rarely use tools, so their prompts are not cached for a second turn. Caching costs a quarter
   * of the prompt and saves nine tenths when it is sent again, so it pays if more than about one question in four does
   * that.
   */
  rare?: boolean;
}

/** The most calls carried out in one turn: more than any model makes, unless it was told to. */
const AT_ONCE = 24;

/** Characters of results per question. */
export const LOOKUP_ROOM = 20_000;

/** A shorter result is useless. */
const LEAST = 400;

/** A turn resends everything before it, which is not worth it for fewer characters than these. */
const WORTH_A_TURN = 3_000;

/** How many more tool calls a run may make; shared by all its agents. */
export interface Lookups {
  left: number;
}

const NO_MORE = "Nothing more can be looked up now. Work with what you have.";

const TOO_MANY = `No more than ${AT_ONCE} calls are carried out at once.`;

/** Whether a question with `gathered` characters of results may look up more. */
export const hasRoom = (gathered: number, { room = LOOKUP_ROOM }: Toolset, lookups: Lookups): boolean =>
  gathered + WORTH_A_TURN < room && lookups.left > 0;

/**
 * Carries out the tool calls of an answer. `gathered`: the question's characters of results so far. The calls share
 * what is left of its room, small results first; a note after the last result says how much remains if there are turns
 * for more. Calls beyond the room or the run's limit get a sentence that says so.
 */
export async function useTools(
  blocks: readonly AnswerBlock[],
  toolset: Toolset,
  { gathered, lookups }: { gathered: number; lookups: Lookups },
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
  const note = more ? `\n\n(${Math.max(0, room - used)} of ${room} characters are left for look-ups.)` : "";
  const results = calls.map(({ id }, at) => {
    const text = found[at] ?? (at >= AT_ONCE ? TOO_MANY : NO_MORE);
    return { id, text: at === asked.length - 1 ? `${text}${note}` : text };
  });
  return { blocks, results };
}

/**
 * Divides `room` among texts by their lengths: short ones get what they need, long ones equal shares of the rest, at
 * least `least`.
 */
function divideRoom(lengths: readonly number[], room: number, least: number): readonly number[] {
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

/** How many characters of results an exchange has. */
export function charactersOf({ results }: ToolExchange): number {
  return results.reduce((sum, { text }) => sum + text.length, 0);
}

async function run({ name, input }: ToolCall, { tools }: Toolset, room?: number): Promise<string> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return `There is no tool ${name}. The tools are: ${tools.map((one) => one.name).join(", ")}.`;
  const parsed = parseGiven(input, tool.shape);
  return parsed.success
    ? tool.run(parsed.data, room)
    : `The input of ${name} is wrong:\n${z.prettifyError(parsed.error)}`;
}

/** Checks what a model gives. For optional fields, null counts as absent. */
export function parseGiven<T>(data: unknown, shape: z.ZodType<T>): z.ZodSafeParseResult<T> {
  const parsed = shape.safeParse(data);
  if (parsed.success) return parsed;
  const filled = shape.safeParse(withoutNulls(data));
  return filled.success ? filled : parsed;
}

const withoutNulls = (data: unknown): unknown =>
  data === undefined ? data : JSON.parse(JSON.stringify(data, (_, value) => value ?? undefined) ?? "null");
