import type { z } from "zod";
import type { Tool } from "../llm/toolset.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import type { SnapshotFiles } from "./lookups/snapshot-files.ts";

/** What every tool is made of. */
export interface ToolContext {
  readonly files: SnapshotFiles;
  readonly parser: SourceParser;
  readonly limits: ToolLimits;
}

/** How much one call of a tool may do and give. How often tools may be called is for the caller to say. */
export interface ToolLimits {
  /** of a result, in characters */
  readonly characters: number;
  /** of a result of `read`, in characters, all its places together */
  readonly readCharacters: number;
  /** lines of one place that `read` gives */
  readonly lines: number;
  /** lines that `search` and `find_references` show, and declarations that `find_symbol` shows */
  readonly matches: number;
  /** of those, in one file when there are several */
  readonly matchesPerFile: number;
  /** entries that `list` shows */
  readonly entries: number;
  /** a line is shown up to here, in characters */
  readonly lineCharacters: number;
  /** larger files are not searched, in bytes */
  readonly fileBytes: number;
  /** work of one `search`: bytes looked at, those that meet a long pattern counted more than once */
  readonly searchedBytes: number;
  /** work of one `find_symbol` or `find_references`: bytes parsed, of a large file so many as `parsingWork` says */
  readonly parsedBytes: number;
}

export const DEFAULT_LOOKUP_LIMITS: ToolLimits = {
  characters: 6_000,
  readCharacters: 20_000,
  lines: 250,
  matches: 60,
  matchesPerFile: 12,
  entries: 150,
  lineCharacters: 240,
  fileBytes: 16 * 1024 * 1024,
  searchedBytes: 200_000_000,
  parsedBytes: 3_000_000,
};

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
