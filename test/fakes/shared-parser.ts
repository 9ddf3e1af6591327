import { createSourceParser } from "../../src/code/tree-sitter/source-parser.ts";

/** The real parser, one for all tests of a file, with time for a busy machine: its thread takes up to a second to start. */
export const sharedParser = createSourceParser({ milliseconds: 60_000 });
