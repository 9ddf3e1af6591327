import type { z } from "zod";
import type { Tool } from "../../models/toolset.ts";

/** How much one call of a tool may show. The caller limits how often tools are called. */
export interface ToolLimits {
  /** of a result, in characters */
  characters: number;
  /** of a result of `read`, in characters, all its places together */
  readCharacters: number;
  /** lines of one place, or entries of one folder, that `read` gives */
  lines: number;
  /** lines that `search` shows, and declarations that `read` names */
  matches: number;
  /** of those, in one file when there are several */
  matchesPerFile: number;
  /** of a line; the rest is cut */
  lineCharacters: number;
}

export const DEFAULT_LIMITS: ToolLimits = {
  characters: 6_000,
  readCharacters: 20_000,
  lines: 250,
  matches: 120,
  matchesPerFile: 40,
  lineCharacters: 240,
};

/** Numbers of lines by path. */
export type SeenLines = ReadonlyMap<string, ReadonlySet<number>>;

/** How much a tool may show, and what stands in the prompt already: that is not shown again. */
export interface ToolOptions {
  limits: ToolLimits;
  seen: SeenLines;
}

/** The words beside the lines have to fit, too. */
const LEAST_ROOM = 300;

/** The limits for an answer of `room` characters. */
export function limitsWithin(limits: ToolLimits, room: number): ToolLimits {
  const within = (most: number) => Math.min(most, Math.max(LEAST_ROOM, room));
  return { ...limits, characters: within(limits.characters), readCharacters: within(limits.readCharacters) };
}

/** Makes a tool that checks its input, and answers in words when the input does not fit the shape. */
export function defineTool<S extends z.ZodObject>(
  tool: Pick<Tool, "name" | "description"> & {
    shape: S;
    run: (input: z.output<S>) => Promise<string>;
  },
): Tool {
  return {
    ...tool,
    run: async (input) => {
      const parsed = tool.shape.safeParse(input);
      if (parsed.success) return tool.run(parsed.data);
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the input"}: ${message}`);
      return `${tool.name} was not called properly. ${faults.join("; ")}.`;
    },
  };
}
