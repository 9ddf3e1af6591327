import type { z } from "zod";
import type { Tool } from "../llm/tool.ts";

/** A tool whose `run` gets its input checked; what does not fit the shape is answered in words. */
export function defineTool<S extends z.ZodObject>(
  tool: Pick<Tool, "name" | "description"> & { shape: S; run: (input: z.output<S>) => Promise<string> },
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
