import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import { addNeighbours } from "../../src/search/import-neighbours.ts";
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
