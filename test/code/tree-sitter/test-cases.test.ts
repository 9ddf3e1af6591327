import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../../src/code/tree-sitter/source-parser.ts";

const parser = createSourceParser();

describe("tests by their names", () => {
  it.each([
    [
      "a.test.js",
      'describe("sums", () => {\n  it("adds", () => {\n    sum();\n  });\n  test.each([1])("adds %s", (one) => {\n  });\n});\nitems.test("no");\n',
      ["suite sums 1-7", "case adds 2-4", "case adds %s 5-6"],
    ],
    [
      "a_test.go",
      'func TestA(t *testing.T) {\n\tt.Run("adds", func(t *testing.T) {\n\t})\n}\n',
      ["function TestA 1-4", "case adds 2-3"],
    ],
    [
      "a_spec.rb",
      "describe 'sums' do\n  context 'when new' do\n    it 'adds' do\n      sum\n    end\n  end\nend\n",
      ["suite sums 1-7", "suite when new 2-6", "case adds 3-5"],
    ],
    ["a.js", 'const run = pattern.test("text");\nrun();\n', ["constant run 1-1"]],
  ])("in %s", async (path, text, expected) => {
    const found = await parser.symbols(path, text);
    expect(found?.map(({ kind, name, start, end }) => `${kind} ${name} ${start}-${end}`)).toEqual(expected);
  });
});
