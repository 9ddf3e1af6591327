import { describe, expect, it } from "@jest/globals";
import { createPairReader } from "../../src/search/terms.ts";
import { issueTerms } from "../../src/search/token-cache.ts";

/** The issue's words that stand side by side in `text`. */
const readPairs = (issue: string, text: string) => [
  ...createPairReader(issue, issueTerms({ title: issue, body: "" }))(text),
];

describe("createPairReader", () => {
  it.each([
    ["parse header twice", "// parse header"],
    ["parse header twice", "parseHeader();"],
    ["parse header twice", "def parse_header():"],
    ["parse header twice", "class ParseHeader"],
    ["parse header twice", "PARSE_HEADER = 1"],
    ["parse header twice", 'import "./parse-header.js";'],
    ["parse header twice", "parse.header"],
    ["parse header twice", "parse::header"],
    ["parse header twice", "// parse\n// header"],
    ["parseHeader throws", "parse_header"],
    ["parse_header throws", "parseHeader"],
    ["`parse-header` throws", "parse header"],
    ["parse.header throws", "parseHeader"],
    ["parsing headers twice", "parse header"],
    ["headers parse header", "parsed_header"],
  ])("finds a pair of words however it is joined: %s, %s", (issue, text) => {
    expect(readPairs(issue, text)).toEqual(["par header"]);
  });

  it.each([
    ["parse header twice", "header parse"],
    ["parse header twice", "parse the header"],
    ["parse header twice", "parseHttpHeader"],
    ["parse the header", "parse header"],
    ["parse. Header too", "parse header"],
    ["what to parse:\nheader", "parse header"],
    ["parse, header and footer", "parse header"],
    ["the header", "the header"],
    ["parse header twice", ""],
    ["", "parse header"],
  ])("finds no pair unless the words are adjacent in both: %j, %j", (issue, text) => {
    expect(readPairs(issue, text)).toEqual([]);
  });

  it("reads only the beginning of a very long text", () => {
    const long = `${"run();\n".repeat(40_000)}parseHeader();\n`;
    expect(readPairs("parse header", long)).toEqual([]);
  });
});
