import { z } from "zod";
import type { Tool } from "../llm/tool.ts";
import { defineTool } from "./define-tool.ts";
import { readPlace } from "./read-place.ts";
import type { ToolContext } from "./tool-context.ts";

const MAX_PLACES = 8;
/** Less of a file tells nothing. */
const LEAST = 200;

const place = z.object({
  path: z.string(),
  start: z.int().optional().describe("First line, counted from 1."),
  end: z.int().optional().describe("Last line, inclusive."),
  symbol: z
    .string()
    .optional()
    .describe("In place of lines: a function, class or method of the file, shown whole; Class.method narrows."),
});
const shape = z.object({ places: z.array(place).min(1).max(MAX_PLACES) });

/** `read`: parts of files, numbered as everywhere; several in one call, since every call costs a turn. */
export function createReadTool(context: ToolContext): Tool {
  const { limits } = context;
  return defineTool({
    name: "read",
    description: `Gives lines of files, each with its number: all the places you need in one call, by lines or by the name of a declaration. At most ${limits.lines} lines a place and ${limits.readCharacters} characters a call; without lines and symbol a longer file gives its outline (what it declares, with line numbers) to choose from.`,
    shape,
    run: async ({ places }) => {
      const read = (one: (typeof places)[number], characters: number) =>
        readPlace({ ...context, limits: { ...limits, readCharacters: characters } }, one);
      const whole = await Promise.all(places.map((one) => read(one, limits.readCharacters)));
      const shares = fairShares(
        whole.map((text) => text.length),
        limits.readCharacters,
      );
      const shown = whole.map((text, at) => {
        const share = shares[at] as number;
        return text.length <= share ? text : read(places[at] as (typeof places)[number], share);
      });
      return (await Promise.all(shown)).join("\n\n");
    },
  });
}

/** How much of `room` each text may take: short ones what they need, the long ones the same of what is left. */
function fairShares(lengths: readonly number[], room: number): readonly number[] {
  const shares: number[] = [];
  const ordered = lengths.map((length, at) => ({ length, at })).sort((a, b) => a.length - b.length);
  let left = room;
  for (const [index, { length, at }] of ordered.entries()) {
    const share = Math.min(length, Math.max(LEAST, Math.floor(left / (ordered.length - index))));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
