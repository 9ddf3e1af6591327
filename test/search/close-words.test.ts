import { describe, expect, it } from "@jest/globals";
import { createCloseReader } from "../../src/search/terms.ts";
import { issueTerms } from "../../src/search/token-cache.ts";

/** The issue's words that stand together in `text`. */
function readClose(issue: string, text: string) {
  const { pairs, lines } = createCloseReader(issue, issueTerms({ title: issue, body: "" }))(text);
  return { pairs: [...pairs], lines: lines.map((words) => words.join(" ")) };
}

describe("createCloseReader", () => {
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
    expect(readClose(issue, text).pairs).toEqual(["par header"]);
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
    expect(readClose(issue, text).pairs).toEqual([]);
  });

  it("finds each line's words from the issue, each set once, in any alphabet", () => {
    const text = "header(naïve);\nrun();\n\nnaïve + header;\n// parse\nconst 見出し = header;";
    expect(readClose("parse header naïve 見出し", text).lines).toEqual(["header naïve", "header 見出し", "par"]);
  });

  it("keeps the lines with the most words of very many, and the words of all", () => {
    const names = Array.from({ length: 25 }, (_, at) => `Word${String.fromCharCode(97 + at)}`);
    const issue = names.join(" ");
    const pairs = names.flatMap((one) => names.map((other) => `${one}.${other}`));
    const read = createCloseReader(issue, issueTerms({ title: issue, body: "" }));
    const { lines, words } = read(`${names.join("\n")}\n${pairs.join("\n")}\n${issue}\n`);
    expect(lines.length).toBe(200);
    expect(lines[0]?.length).toBe(Math.max(...lines.map((line) => line.length)));
    expect(words.size).toBe(lines[0]?.length);
  });

  it("reads only the beginning of a very long text", () => {
    const long = `${"run();\n".repeat(40_000)}parseHeader();\n`;
    expect(readClose("parse header", long)).toEqual({ pairs: [], lines: [] });
  });
});
