import { z } from "zod";
import type { Tool } from "../prompts/tool.ts";
import { defineTool } from "./define-tool.ts";
import type { LookupContext } from "./lookup-context.ts";
import { readPlace } from "./read-place.ts";

const MOST_PLACES = 8;
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
const shape = z.object({ places: z.array(place).min(1).max(MOST_PLACES) });

/** `read`: parts of files, numbered as everywhere; several in one call, since every call costs a turn. */
export function createReadTool(context: LookupContext): Tool {
  const { limits } = context;
  return defineTool({
    name: "read",
    description: `Gives lines of files, each with its number: all the places you need in one call, by lines or by the name of a declaration. At most ${limits.lines} lines a place and ${limits.readCharacters} characters a call; without lines and symbol a longer file gives its outline (what it declares, with line numbers) to choose from.`,
    shape,
    run: async ({ places }) => {
      const shown: string[] = [];
      let room = limits.readCharacters;
      for (const [at, one] of places.entries()) {
        if (room < LEAST) {
          shown.push(
            `… not shown for want of room: ${places
              .slice(at)
              .map(({ path }) => path)
              .join(", ")}.`,
          );
          break;
        }
        // What a short place leaves is for the ones after it; a long one does not crowd them out.
        const share = Math.max(LEAST, Math.floor(room / (places.length - at)));
        const text = await readPlace({ ...context, limits: { ...limits, readCharacters: share } }, one);
        room -= text.length;
        shown.push(text);
      }
      return shown.join("\n\n");
    },
  });
}
