import type { Tool } from "../llm/tool.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import { createLookupFiles } from "./create-lookup-files.ts";
import { createFindReferencesTool } from "./find-references-tool.ts";
import { createFindSymbolTool } from "./find-symbol-tool.ts";
import { createListTool } from "./list-tool.ts";
import type { LookupContext } from "./lookup-context.ts";
import { DEFAULT_LOOKUP_LIMITS, type LookupLimits } from "./lookup-limits.ts";
import { createReadTool } from "./read-tool.ts";
import { createSearchTool } from "./search-tool.ts";

/** What the tools look at. */
export interface LookupSource {
  /** the files that agents may see, in any order */
  readonly paths: readonly string[];
  /** content of one of `paths`; undefined when it cannot be had. What it throws, the tools throw. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly parser: SourceParser;
  readonly limits?: Partial<LookupLimits>;
}

/** The tools of an agent over one snapshot: `search`, `read`, `list`, `find_symbol`, `find_references`. They keep no state. */
export function createLookup({ paths, read, parser, limits }: LookupSource): readonly Tool[] {
  const all = { ...DEFAULT_LOOKUP_LIMITS, ...limits };
  const context: LookupContext = { files: createLookupFiles(paths, read, all.fileBytes), parser, limits: all };
  return [
    createSearchTool(context),
    createReadTool(context),
    createListTool(context),
    createFindSymbolTool(context),
    createFindReferencesTool(context),
  ];
}
