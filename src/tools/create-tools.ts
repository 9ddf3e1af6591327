import type { Tool } from "../llm/tool.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import { createSnapshotFiles } from "./create-snapshot-files.ts";
import { createFindReferencesTool } from "./find-references-tool.ts";
import { createFindSymbolTool } from "./find-symbol-tool.ts";
import { createListTool } from "./list-tool.ts";
import { createReadTool } from "./read-tool.ts";
import { createSearchTool } from "./search-tool.ts";
import type { ToolContext } from "./tool-context.ts";
import { DEFAULT_LOOKUP_LIMITS, type ToolLimits } from "./tool-limits.ts";

/** What the tools look at. */
export interface ToolSource {
  /** the files that agents may see, in any order */
  readonly paths: readonly string[];
  /** content of one of `paths`; undefined when it cannot be had. What it throws, the tools throw. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly parser: SourceParser;
  readonly limits?: Partial<ToolLimits>;
}

/** The tools of an agent over one snapshot: `search`, `read`, `list`, `find_symbol`, `find_references`. They keep no state. */
export function createTools({ paths, read, parser, limits }: ToolSource): readonly Tool[] {
  const all = { ...DEFAULT_LOOKUP_LIMITS, ...limits };
  const context: ToolContext = { files: createSnapshotFiles(paths, read, all.fileBytes), parser, limits: all };
  return [
    createSearchTool(context),
    createReadTool(context),
    createListTool(context),
    createFindSymbolTool(context),
    createFindReferencesTool(context),
  ];
}
