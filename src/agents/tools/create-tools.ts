import type { Tool } from "../../models/toolset.ts";
import { DEFAULT_LIMITS, limitsWithin, type SeenLines, type ToolLimits } from "./define-tool.ts";
import type { Lookups } from "./lookups/lookups.ts";
import { createReadTool } from "./read-tool.ts";
import { createSearchTool } from "./search-tool.ts";

/** Makes the tools of an agent: `search` and `read`. They keep no state, and show no line that is `seen`. */
export function createTools(
  lookups: Lookups,
  { seen = new Map(), ...limits }: Partial<ToolLimits> & { seen?: SeenLines } = {},
): readonly Tool[] {
  const all = { ...DEFAULT_LIMITS, ...limits };
  return [createSearchTool, createReadTool].map((make) => {
    const tool = make(lookups, { limits: all, seen });
    const narrow = (room: number) => make(lookups, { limits: limitsWithin(all, room), seen });
    return { ...tool, run: (input, room) => (room === undefined ? tool : narrow(room)).run(input) };
  });
}
