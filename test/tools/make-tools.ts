import type { ToolLimits } from "../../src/tools/context.ts";
import type { LeftOut } from "../../src/tools/lookups/left-out.ts";
import { createTools } from "../../src/tools/toolset.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

/** Tools over files given by path; `ask` calls one as a model would. */
export function makeTools(
  content: Readonly<Record<string, string | Uint8Array>>,
  limits: Partial<ToolLimits> = {},
  leftOut: readonly LeftOut[] = [],
) {
  const files = new Map(
    Object.entries(content).map(([path, text]) => [path, typeof text === "string" ? Buffer.from(text) : text]),
  );
  const tools = createTools({
    paths: [...files.keys()].filter((path) => !leftOut.some((one) => one.path === path)),
    leftOut,
    read: async (path) => files.get(path),
    parser: sharedParser,
    limits,
  });
  const ask = async (name: string, input: unknown): Promise<string> => {
    const tool = tools.find((other) => other.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.run(input);
  };
  return { tools, ask };
}
