import type { Tool } from "../llm/toolset.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import { DEFAULT_LOOKUP_LIMITS, type SnapshotFiles, type ToolContext, type ToolLimits } from "./context.ts";
import { createFindReferencesTool } from "./find-references-tool.ts";
import { createFindSymbolTool } from "./find-symbol-tool.ts";
import type { LeftOut } from "./left-out.ts";
import { createListTool } from "./list-tool.ts";
import { createReadTool } from "./read-tool.ts";
import { createSearchTool } from "./search-tool.ts";

/** What the tools look at. */
export interface ToolSource {
  /** the files that agents may see, in any order */
  readonly paths: readonly string[];
  /** files of the commit that are not among `paths`, in any order */
  readonly leftOut?: readonly LeftOut[];
  /** content of one of `paths`, or of a left-out file that is shown; undefined when it cannot be had. What it throws, the tools throw. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
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

/** git's rule, and git's length */
const BINARY_HEAD = 8_000;

/** The files of a snapshot, in path order; `largest` in bytes is the size above which a file is not looked through. */
function createSnapshotFiles(
  { paths: given, leftOut = [], read }: Pick<ToolSource, "paths" | "leftOut" | "read">,
  largest: number,
): SnapshotFiles {
  const known = new Set(given);
  const paths = [...known].sort();
  const folders = new Set<string>([""]);
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const shown = new Set(leftOut.filter((file) => file.shown).map(({ path }) => path));
  const bytes = async (path: string) => {
    const content = known.has(path) || shown.has(path) ? await read(path) : undefined;
    return content && Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  };
  return {
    paths,
    has: (path) => known.has(path),
    hasFolder: (folder) => folders.has(folder),
    leftOut: [...leftOut].sort((a, b) => (a.path < b.path ? -1 : 1)),
    bytes,
    searchable: async (path) => {
      const content = await bytes(path);
      if (content === undefined || content.length > largest) return undefined;
      return content.subarray(0, BINARY_HEAD).includes(0) ? undefined : content;
    },
  };
}
