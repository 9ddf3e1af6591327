import { describe, expect, it } from "@jest/globals";
import { rankFiles } from "../../src/search/rank-files.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { fc } from "../seeded.ts";
import { indexFiles } from "./index-files.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "src/parser.ts": "export function parseHeader(line: string) {\n  return fold(line);\n}\n",
  "src/fold.ts": "export function fold(line: string) {\n  return line.trim();\n}\n",
  "src/server.ts": "import { parseHeader } from './parser';\nexport const server = () => parseHeader('x');\n",
  "src/twin-b.ts": "export const twin = 'identical';\n",
  "src/twin-a.ts": "export const twin = 'identical';\n",
  "tests/parser.test.ts":
    "import { parseHeader } from '../src/parser';\ntest('parseHeader folds header lines', () => { parseHeader('header'); });\n",
  "docs/parser.md": "# The parser\nparseHeader folds the header. Header header header.\n",
  "package-lock.json": '{ "parseHeader": "header" }',
  "locale/de.json": '{ "header": "Kopfzeile" }',
};
const index = await indexFiles(TEXTS);
const rank = (title: string, body = "", hints: string[] = []) =>
  rankFiles({ files: index.files, issue: { title, body, hints }, limit: 20 });
const pathsOf = (title: string, body = "") => rank(title, body).map(({ path }) => path);

describe("rankFiles", () => {
  it("ranks a source before its test and documentation, and leaves out lock files", () => {
    const paths = pathsOf("parseHeader drops folded header lines");
    expect(paths[0]).toBe("src/parser.ts");
    expect(paths.indexOf("src/server.ts")).toBeLessThan(paths.indexOf("docs/parser.md"));
    expect(paths).not.toContain("package-lock.json");
  });

  it("ranks documentation or tests first when the title asks for them", () => {
    expect(pathsOf("docs: the header chapter of the documentation is wrong")[0]).toBe("docs/parser.md");
    expect(pathsOf("Flaky test of the parser header")[0]).toBe("tests/parser.test.ts");
  });

  it("gives its reasons", () => {
    const [first] = rank("Wrong result of `parseHeader`", "    at parseHeader (/app/src/parser.ts:2:10)");
    expect(first?.path).toBe("src/parser.ts");
    expect(first?.reasons).toEqual(
      expect.arrayContaining(["named in the stack trace, line 2", expect.stringMatching(/^BM25 .*terms: /)]),
    );
    expect(
      rank("header")
        .find(({ group }) => group === "locale")
        ?.reasons.at(-1),
    ).toBe("locale file, weight 0.3");
  });

  it("searches hints too", () => {
    expect(rank("Something is off", "", ["fold"])[0]?.path).toBe("src/fold.ts");
  });

  it("orders equal scores by path, and is deterministic", () => {
    const twins = pathsOf("identical twin");
    expect(twins.slice(0, 2)).toEqual(["src/twin-a.ts", "src/twin-b.ts"]);
    const issue = fc.record({ title: fc.string(), body: fc.lorem({ maxCount: 30 }) });
    fc.assert(fc.property(issue, ({ title, body }) => expect(rank(title, body)).toEqual(rank(title, body))));
  });

  it("accepts any text", () => {
    const nasty = fc.constantFrom(
      "foo:",
      "parser~2",
      "head*",
      "^10",
      "+a",
      "-b",
      "x**2",
      "[(",
      "\\",
      "constructor",
      "__proto__",
      "`",
      "\u0000",
      "$&",
    );
    const text = fc
      .array(fc.oneof(nasty, fc.string({ unit: anyCharacter }), fc.constantFrom("header", "parser")))
      .map((parts) => parts.join(" "));
    fc.assert(
      fc.property(text, text, (title, body) => {
        const found = rank(title, body);
        for (const { score } of found) expect(Number.isFinite(score)).toBe(true);
        expect(new Set(found.map(({ path }) => path)).size).toBe(found.length);
      }),
    );
  });

  it.each([
    ["a cop's name", "false positive of Layout/ExtraSpacing", "lib/cop/layout/extra_spacing.rb"],
    ["a constant of Ruby", "ActiveRecord::QueryMethods drops a clause", "lib/active_record/query_methods.rb"],
    ["a component", "`widgets/DatePicker` does not open", "src/widgets/date-picker.vue"],
    ["an import without extension", 'after import "store/lib/keyRing" nothing works', "packages/store/lib/keyRing.js"],
    ["a package of Python", "pkg/sub_mod fails to load", "pkg/sub_mod/__init__.py"],
  ])("finds the file that %s names, however its words are joined", async (_, title, path) => {
    const named = [
      "lib/cop/layout/extra_spacing.rb",
      "lib/active_record/query_methods.rb",
      "src/widgets/date-picker.vue",
    ];
    const paths = [...named, "packages/store/lib/keyRing.js", "pkg/sub_mod/__init__.py"];
    const loud =
      "clause component cop drops extra false import lib load nothing open picker positive spacing widgets works\n";
    const others = ["src/a.rb", "src/b.vue", "src/c.py"].map((other) => [other, loud.repeat(3)] as const);
    const { files } = await indexFiles({
      ...Object.fromEntries(paths.map((one) => [one, "x = 1\n"])),
      ...Object.fromEntries(others),
    });
    expect(rankFiles({ files, issue: { title, body: "" }, limit: 5 })[0]?.path).toBe(path);
  });

  it("always ranks a file in the stack trace first", () => {
    const source = fc.constantFrom("src/parser.ts", "src/fold.ts", "src/server.ts", "src/twin-a.ts");
    fc.assert(
      fc.property(source, fc.lorem({ maxCount: 40 }), fc.nat(500), (path, text, line) => {
        const body = `${text}\nTypeError: x\n    at fn (/home/me/app/${path}:${line}:3)\n    at node:internal/main:1:1\n${text}`;
        expect(pathsOf(text, body)[0]).toBe(path);
      }),
    );
  });

  it("gives no file without an issue or files, and at most the limit", async () => {
    expect(rank("", "")).toEqual([]);
    expect(rankFiles({ files: [], issue: { title: "header", body: "" }, limit: 5 })).toEqual([]);
    expect(rankFiles({ files: index.files, issue: { title: "header", body: "" }, limit: 1 })).toHaveLength(1);
  });
});
