import { createSourceParser } from "../../src/adapters/tree-sitter/create-source-parser.ts";
import { createLookup } from "../../src/tools/create-lookup.ts";
import type { LookupLimits } from "../../src/tools/lookup-limits.ts";

/** Tools over files given by path; `ask` calls one as a model would. */
export function makeLookup(content: Readonly<Record<string, string | Uint8Array>>, limits: Partial<LookupLimits> = {}) {
  const files = new Map(
    Object.entries(content).map(([path, text]) => [path, typeof text === "string" ? Buffer.from(text) : text]),
  );
  const tools = createLookup({
    paths: [...files.keys()],
    read: async (path) => files.get(path),
    parser: createSourceParser(),
    limits,
  });
  const ask = async (name: string, input: unknown): Promise<string> => {
    const tool = tools.find((other) => other.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool.run(input);
  };
  return { tools, ask };
}
