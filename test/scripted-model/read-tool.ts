import { z } from "zod";
import type { ToolDefinition } from "../../src/ports/language-model.ts";

/** A tool in the form that prompts define. */
export const READ_TOOL: ToolDefinition = {
  name: "read",
  description: "Gives lines of a file.",
  inputSchema: z.toJSONSchema(z.object({ path: z.string(), from: z.number().int().min(1).optional() })),
};
