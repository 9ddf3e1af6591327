import type { Tool } from "../llm/toolset.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import { DEFAULT_LOOKUP_LIMITS, type ToolContext, type ToolLimits } from "./context.ts";
import { createFindReferencesTool } from "./find-references-tool.ts";
import { createFindSymbolTool } from "./find-symbol-tool.ts";
import { createListTool } from "./list-tool.ts";
import { createSnapshotFiles, type Snapshot } from "./lookups/snapshot-files.ts";
import { createReadTool } from "./read-tool.ts";
import { createSearchTool } from "./search-tool.ts";

/** What the tools look at. */
export interface ToolSource extends Snapshot {
  readonly parser: SourceParser;
  readonly limits?: Partial<ToolLimits>;
}

/** The tools of an agent over one snapshot: `search`, `read`, `list`, `find_symbol`, `find_references`. They keep no state. */
export function createTools({ parser, limits, ...source }: ToolSource): readonly Tool[] {
  const all = { ...DEFAULT_LOOKUP_LIMITS, ...limits };
  const context: ToolContext = { files: createSnapshotFiles(source, all.fileBytes), parser, limits: all };
  return MAKERS.map((make) => {
    const tool = make(context);
    const narrow = (room: number) => make({ ...context, limits: limitsWithin(all, room) });
    return { ...tool, run: (input, room) => (room === undefined ? tool : narrow(room)).run(input) };
  });
}

const MAKERS = [
  createSearchTool,
  createReadTool,
  createListTool,
  createFindSymbolTool,
  createFindReferencesTool,
] as const;

function limitsWithin(limits: ToolLimits, room: number): ToolLimits {
  const within = (most: number) => Math.min(most, Math.max(LEAST_ROOM, room));
  return { ...limits, characters: within(limits.characters), readCharacters: within(limits.readCharacters) };
}

/** What is said beside the lines has to fit, too. */
const LEAST_ROOM = 300;
