import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import { keptInProcess } from "../kept-in-process.ts";

/** The real parser, one for all test files of a process: its thread takes a second to start. */
export const sharedParser = keptInProcess("parser", () => createSourceParser({ idleMilliseconds: 60_000 }));
