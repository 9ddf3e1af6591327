import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import { addNeighbours, addPastCommits } from "../../src/search/further-evidence.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { indexFiles } from "./index-files.ts";

const parser = createSourceParser();

async function ranking(texts: Readonly<Record<string, string>>, title: string) {
  const { files } = await indexFiles(texts);
  const ranked = rankFiles({ files, issue: { title, body: "" }, limit: 100 });
  const joined = await addNeighbours({
    ranked,
    files,
    importsOf: ({ path }) => parser.imports(path, texts[path] ?? ""),
  });
  return { ranked, joined };
}

const filler = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [
    `lib/other${at}.js`,
    `// a discount${at % 2 ? " discount" : ""}\nrun(${at});\n`,
  ]),
);

describe("addNeighbours", () => {
  it("brings in what a hit imports and what imports it, with the reason, though they have no word of the issue", async () => {
    const { ranked, joined } = await ranking(
      {
        "src/discount.js": 'import { round } from "./numbers.js";\nexport function discount() {}\n',
        "src/numbers.js": "export const round = 1;\n",
        "src/desk.js": 'import { discount as d } from "./discount.js";\n',
        "src/alone.js": "export const nothing = 1;\n",
      },
      "the discount is wrong",
    );
    expect(ranked.map(({ path }) => path)).not.toContain("src/numbers.js");
    const found = joined.find(({ path }) => path === "src/numbers.js");
    expect(found?.reasons).toEqual(["imported by src/discount.js"]);
    expect(joined.map(({ path }) => path)).not.toContain("src/alone.js");
    expect(joined[0]?.path).toBe("src/discount.js");
  });

  it("leaves the first few as they are, and loses nothing", async () => {
    const { ranked, joined } = await ranking(
      { ...filler, "lib/discount.js": 'import "./z.js";\nexport function discount() {}\n', "lib/z.js": "z();\n" },
      "discount",
    );
    expect(joined.slice(0, 5).map(({ path }) => path)).toEqual(ranked.slice(0, 5).map(({ path }) => path));
    expect(new Set(joined.map(({ path }) => path))).toEqual(new Set([...ranked.map(({ path }) => path), "lib/z.js"]));
    const scores = joined.slice(5).map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it("is the same twice, also where files import each other or nothing can be read", async () => {
    const texts = {
      "a.js": 'import "./b.js";\nexport const discount = 1;\n',
      "b.js": 'import "./a.js";\n',
      "c.kt": "discount\n",
      "d.js": "import import import discount ((((\n",
    };
    const first = await ranking(texts, "discount");
    expect((await ranking(texts, "discount")).joined).toEqual(first.joined);
    expect((await ranking({}, "discount")).joined).toEqual([]);
  });
});

describe("addPastCommits", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const texts = {
    ...filler,
    "src/registry.js": "export const all = [];\n",
    "src/locales/fr.js": "export default {};\n",
    "test/discount.test.js": "all();\n",
  };
  const joinedWith = async (message: string, paths: readonly string[], title = "add a discount for Slovak") => {
    const { files } = await indexFiles(texts);
    const issue = { title, body: "" };
    const ranked = rankFiles({ files, issue, limit: 100 });
    const others = Array.from({ length: 20 }, (_, at) => ({
      commit,
      message: `tidy up ${at}`,
      paths: ["lib/other1.js"],
    }));
    const joined = addPastCommits({ ranked, files, issue, history: [{ commit, message, paths }, ...others] });
    return { ranked, joined };
  };

  it("brings up what was changed for the like before, though nothing in it has a word of the issue", async () => {
    const { ranked, joined } = await joinedWith("Add Slovak", ["src/registry.js", "gone.js", "test/discount.test.js"]);
    expect(ranked.map(({ path }) => path)).not.toContain("src/registry.js");
    const found = joined.find(({ path }) => path === "src/registry.js");
    expect(found?.reasons).toEqual(["changed in 012345678, whose message has words of the issue"]);
    const without = (all: typeof joined) => all.filter(({ path }) => path !== "src/registry.js");
    expect(without(joined)).toEqual(ranked);
  });

  it("leaves the first few as they are", async () => {
    const { ranked, joined } = await joinedWith("Slovak discount", ["lib/other6.js", "lib/other7.js"]);
    expect(joined.slice(0, 5)).toEqual(ranked.slice(0, 5));
    expect(joined.slice(5).map(({ score }) => score)).toEqual(
      joined
        .slice(5)
        .map(({ score }) => score)
        .sort((a, b) => b - a),
    );
  });

  it("changes nothing where no message has a word of the issue, or the commit changed very many files", async () => {
    const many = Object.keys(texts).filter((path) => path.startsWith("lib/"));
    for (const [message, paths] of [
      ["Rework the numbers", ["src/registry.js"]],
      ["Add Slovak", []],
      ["Add Slovak", [...many, ...many]],
    ] as const) {
      const { ranked, joined } = await joinedWith(message, paths);
      expect(joined).toEqual(ranked);
    }
  });

  it("takes any messages, and is the same twice", async () => {
    for (const message of [
      "",
      "\n\n",
      "__proto__ constructor",
      "\u0000\ud800 Slovak",
      `Slovak ${"long ".repeat(50_000)}`,
    ]) {
      const [once, twice] = [
        await joinedWith(message, ["src/registry.js"]),
        await joinedWith(message, ["src/registry.js"]),
      ];
      expect(once.joined).toEqual(twice.joined);
    }
  });
});
