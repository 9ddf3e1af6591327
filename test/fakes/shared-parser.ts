import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import type { SourceParser } from "../../src/ports/source-parser.ts";

const KEPT = Symbol.for("magis.test.parser");
const kept: { [KEPT]?: SourceParser } = Object(process);

/** The real parser, one for all test files of a process: each file loads what is ours anew, and its thread takes a second to start. */
kept[KEPT] ??= createSourceParser({ idleMilliseconds: 60_000 });
export const sharedParser: SourceParser = kept[KEPT];
