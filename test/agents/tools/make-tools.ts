import { createTools } from "../../../src/agents/tools/create-tools.ts";
import type { SeenLines, ToolLimits } from "../../../src/agents/tools/define-tool.ts";
import type { LeftOut } from "../../../src/agents/tools/lookups/left-out.ts";
import { createLookups } from "../../../src/agents/tools/lookups/lookups.ts";
import type { WorkLimits } from "../../../src/agents/tools/lookups/snapshot-files.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";

/** Tools over the given files; `ask` calls one as a model would. */
export function makeTools(
  content: Readonly<Record<string, string | Uint8Array>>,
  limits: Partial<ToolLimits & WorkLimits> & { seen?: SeenLines } = {},
  leftOut: readonly LeftOut[] = [],
) {
  const files = new Map(
    Object.entries(content).map(([path, text]) => [path, typeof text === "string" ? Buffer.from(text) : text]),
  );
  const paths = [...files.keys()].filter((path) => !leftOut.some((one) => one.path === path));
  const snapshot = { paths, leftOut, read: async (path: string) => files.get(path) };
  const lookups = createLookups(snapshot, sharedParser, limits);
  const tools = createTools(lookups, limits);
  const ask = async (name: string, input: unknown): Promise<string> => {
    const tool = tools.find((other) => other.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.run(input);
  };
  return { lookups, tools, ask };
}
