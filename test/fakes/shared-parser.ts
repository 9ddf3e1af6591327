import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";

/** The real parser, one for all tests of a file: its thread takes up to a second to start. */
export const sharedParser = createSourceParser();
