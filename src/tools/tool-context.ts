import type { SourceParser } from "../ports/source-parser.ts";
import type { SnapshotFiles } from "./snapshot-files.ts";
import type { ToolLimits } from "./tool-limits.ts";

/** What every tool is made of. */
export interface ToolContext {
  readonly files: SnapshotFiles;
  readonly parser: SourceParser;
  readonly limits: ToolLimits;
}
