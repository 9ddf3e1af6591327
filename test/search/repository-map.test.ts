import { describe, expect, it } from "@jest/globals";
import { repositoryMap } from "../../src/search/outline.ts";
import { fc } from "../seeded.ts";
import { indexFiles } from "./index-files.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "index.js": "export const start = 1;\n",
  "src/parser.ts": "export function parseHeader() {}\nexport class Folder {}\n",
  "src/fold.ts": "export function folded() {}\n",
  "src/deep/er/leaf.ts": "export const leaf = 1;\n",
  "docs/parser.md": "# The parser\n",
  "tests/parser.test.ts": "const header = 1;\n",
};
const { files } = await indexFiles(TEXTS);
const { files: many } = await indexFiles(
  Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`lib${i % 20}/part${i}.js`, `export const name${i} = ${i};\n`]),
  ),
);

const declared = new Map([
  ["index.js", ["start"]],
  ["src/parser.ts", ["parseHeader", "Folder"]],
  ["src/fold.ts", ["folded"]],
]);

/** The paths of files that a map shows. */
function pathsOf(map: string): string[] {
  let folder = "";
  return map.split("\n").flatMap((line) => {
    const names = /^ {2}([^:]+)/.exec(line)?.[1]?.split(", ");
    if (names === undefined) folder = /^(.*\/)$/.exec(line)?.[1] ?? folder;
    return (names ?? []).map((name) => (folder === "./" ? name : `${folder}${name}`));
  });
}

describe("repositoryMap", () => {
  it("shows relevant files with their declarations, names their neighbours and counts the rest", () => {
    expect(repositoryMap(files, ["src/parser.ts", "index.js"], 10_000, { declared }).split("\n")).toEqual([
      "./",
      "  index.js: start",
      "src/",
      "  parser.ts: parseHeader, Folder",
      "  fold.ts",
      "docs/ (1 more file)",
      "src/deep/er/ (1 more file)",
      "tests/ (1 more file)",
    ]);
  });

  it("names every file in the folders of the best ones, tests and others too", async () => {
    const { files: mixed } = await indexFiles({
      "src/a.ts": "export function alpha() {}\n",
      "src/a.test.ts": "alpha();\n",
      "src/README.md": "# A\n",
      "src/odd.json": "{}\n",
      "test/far.test.ts": "alpha();\n",
      "test/other.test.ts": "beta();\n",
    });
    const shown = pathsOf(repositoryMap(mixed, ["src/a.ts", "test/far.test.ts"], 1_000));
    expect(shown.sort()).toEqual(mixed.map(({ path }) => path).sort());
  });

  it("shortens files shown elsewhere and distant ones, and leaves out meaningless ones", async () => {
    const { files: mixed } = await indexFiles({
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`src/z${at}.ts`, "export const one = 1, two = 2;\n"]),
      ),
      ".editorconfig": "a\n",
      LICENSE: "b\n",
      "a.js": "export function alpha() {}\n",
      "b.txt": "c\n",
      "src/far.ts": ["one", "two", "three", "four", "five", "six"].map((n) => `export function ${n}() {}\n`).join(""),
      "src/fixtures/long.json": "{}\n",
    });
    const order = ["a.js", ...Array.from({ length: 40 }, (_, at) => `src/z${at}.ts`), "src/far.ts"];
    const map = repositoryMap(mixed, order, 10_000, {
      known: ["a.js", "src/z0.ts"],
      declared: new Map([
        ["src/z0.ts", ["one"]],
        ["src/far.ts", ["one", "two", "three", "four", "five", "six"]],
      ]),
    });
    expect(map).toMatch(/^\.\/\n {2}LICENSE, a\.js, b\.txt\nsrc\/\n/);
    expect(map).toContain("\n  far.ts: one, two, three, four, five, six\n");
    expect(map).not.toMatch(/z0\.ts:|editorconfig/);
    // When space runs out, data and fixtures go first.
    const { files: held } = await indexFiles({
      "src/a.ts": "export function alpha() {}\n",
      "src/data.json": "{}\n",
      "src/guide.md": "# A\n",
      "src/z.ts": "z();\n",
    });
    expect(pathsOf(repositoryMap(held, ["src/a.ts"], "a.ts: alpha\nz.ts\n".length))).toEqual(["src/a.ts", "src/z.ts"]);
  });

  it("adds relevant files in their order until the budget is used up", () => {
    const relevant = ["src/fold.ts", "src/parser.ts", "index.js"];
    const [first] = repositoryMap(files, relevant, "fold.ts: folded".length, { declared }).split("\n").slice(1);
    expect(first).toBe("  fold.ts: folded");
    expect(pathsOf(repositoryMap(files, relevant, 16))).toEqual(["src/fold.ts"]);
    expect(repositoryMap(files, relevant, 0)).toBe("");
  });

  it("keeps to its budget, apart from folder lines and indentation", () => {
    const relevant = many.map(({ path }) => path);
    fc.assert(
      fc.property(fc.nat(8_000), (budget) => {
        const map = repositoryMap(many, relevant, budget);
        const shown = pathsOf(map);
        const folders = new Set(shown.map((path) => path.slice(0, path.lastIndexOf("/"))));
        const frame =
          shown.length * 2 + 2 * folders.size + [...folders].reduce((sum, folder) => sum + folder.length + 2, 0);
        expect(map.length).toBeLessThanOrEqual(budget + frame + 1);
      }),
    );
  });

  it("names only existing paths, whatever is called relevant, and is deterministic", () => {
    const paths = new Set(Object.keys(TEXTS));
    const anything = fc.array(fc.oneof(fc.constantFrom(...paths), fc.string(), fc.constant("src/made-up.ts")));
    fc.assert(
      fc.property(anything, fc.nat(400), (relevant, budget) => {
        const map = repositoryMap(files, relevant, budget);
        for (const path of pathsOf(map)) expect(paths).toContain(path);
        expect(repositoryMap([...files], relevant, budget)).toBe(map);
      }),
    );
  });

  it("cuts a file's long list of declarations", async () => {
    const names = Array.from({ length: 400 }, (_, i) => `veryLongNameOfTheFunctionNumber${i}`);
    const { files: wide } = await indexFiles({ "wide.ts": "" });
    const [, line = ""] = repositoryMap(wide, ["wide.ts"], 10_000, { declared: new Map([["wide.ts", names]]) }).split(
      "\n",
    );
    expect(line.length).toBeLessThanOrEqual(302);
    expect(line.split(", ").length).toBeLessThanOrEqual(8);
  });
});
