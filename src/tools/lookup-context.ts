import type { SourceParser } from "../ports/source-parser.ts";
import type { LookupFiles } from "./lookup-files.ts";
import type { LookupLimits } from "./lookup-limits.ts";

/** What every tool is made of. */
export interface LookupContext {
  readonly files: LookupFiles;
  readonly parser: SourceParser;
  readonly limits: LookupLimits;
}
