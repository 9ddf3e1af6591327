import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import { addFurtherEvidence } from "../../src/search/further-evidence.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { indexFiles } from "./index-files.ts";

const parser = createSourceParser();

const FIX = "0123456789abcdef0123456789abcdef01234567";

const idOf = (at: number) => `${at}`.padStart(40, "f");

interface Past {
  readonly message: string;
  readonly paths: readonly string[];
}

/** The ranking by text, and with the further evidence; the first past commit has the id FIX. */
async function ranking(texts: Readonly<Record<string, string>>, title: string, past: readonly Past[] = []) {
  const { files } = await indexFiles(texts);
  const issue = { title, body: "" };
  const ranked = rankFiles({ files, issue, limit: 100 });
  const joined = await addFurtherEvidence({
    ranked,
    files,
    issue,
    history: past.map((one, at) => ({ ...one, commit: at === 0 ? FIX : idOf(at) })),
    textOf: async ({ path }) => texts[path] ?? "",
    importsOf: (path, text) => parser.imports(path, text),
  });
  const gained = (path: string) =>
    (joined.find((one) => one.path === path)?.score ?? 0) - (ranked.find((one) => one.path === path)?.score ?? 0);
  const reasons = (path: string) => joined.find((one) => one.path === path)?.reasons ?? [];
  return { ranked, joined, gained, reasons, paths: joined.map(({ path }) => path) };
}

const filler = Object.fromEntries(
  Array.from({ length: 8 }, (_, at) => [
    `lib/other${at}.js`,
    `// a discount${at % 2 ? " discount" : ""}\nrun(${at});\n`,
  ]),
);

const shop = {
  ...filler,
  "src/discount.js": 'import { round } from "./numbers.js";\nexport function discount() {}\n',
  "src/numbers.js": "export const round = 1;\n",
  "app/desk.js": 'import { discount as d } from "../src/discount.js";\n',
  "app/alone.js": "export const nothing = 1;\n",
  "tax/parser/discount-tokens.js": "// a discount\n",
  "tax/registry.js": "export const all = [];\n",
  "tax/rates.js": "export const rates = [];\n",
  "test/discount.test.js": "all();\n",
};

const idle = (count: number): Past[] =>
  Array.from({ length: count }, (_, at) => ({ message: `tidy up ${at}`, paths: ["app/alone.js"] }));

describe("addFurtherEvidence", () => {
  it.each([
    ["a hit's import", "src/numbers.js", "imported by src/discount.js", "the discount is wrong", []],
    ["a hit's neighbour", "src/numbers.js", "beside src/discount.js", "the discount is wrong", []],
    [
      "a file that the most similar commit changed",
      "tax/registry.js",
      "changed in 012345678, whose message has words of the issue",
      "add a discount for Slovak",
      [{ message: "Add Slovak", paths: ["tax/registry.js", "gone.js", "test/discount.test.js"] }, ...idle(20)],
    ],
    [
      "a file that similar commits changed",
      "tax/registry.js",
      "changed in commits like the issue",
      "add a discount for Slovak",
      [{ message: "Add Slovak", paths: ["tax/registry.js"] }, ...idle(20)],
    ],
    [
      "a file that changed recently",
      "tax/registry.js",
      "changed of late",
      "add a discount",
      [{ message: "tidy up", paths: ["tax/registry.js"] }],
    ],
  ])("adds %s, with the reason, though it has no word of the issue", async (_, path, reason, title, past) => {
    const { ranked, reasons } = await ranking(shop, title, past);
    expect(ranked.map((one) => one.path)).not.toContain(path);
    expect(reasons(path)).toContain(reason);
  });

  it.each([
    ["fix(parser): the discount is wrong", true],
    ["fix(tax)!: the discount is wrong", true],
    ["[parser] the discount is wrong", true],
    ["tax/parser: the discount is wrong", true],
    ["@shop/parser: the discount is wrong", true],
    ["fix(discount-tokens): the discount is wrong", true],
    ["feat(discountTokens): the discount is wrong", true],
    ["fix(tokens): the discount is wrong", true],
    ["the discount is wrong in the parser", false],
    ["fix(ax): the discount is wrong", false],
    ["fix(desk): the discount is wrong", false],
    ["fix: the discount is wrong", false],
    ["fix(): the discount is wrong", false],
  ])("recognises a part of the code at the start of the title: %s", async (title, named) => {
    const { reasons } = await ranking(shop, title);
    const found = reasons("tax/parser/discount-tokens.js").some((reason) => reason.startsWith("the title begins with"));
    expect(found).toBe(named);
  });

  it("raises what the best tests import, the more the better the test and the fewer its imports", async () => {
    const tested = (imports: readonly string[]) => imports.map((path) => `import "../${path}";\n`).join("");
    const texts = {
      ...shop,
      "test/slovak.test.js": `${tested(["tax/registry.js"])}slovak(); slovak(); rounding();\n`,
      "test/other.test.js": `${tested(["app/alone.js"])}// slovak\nrun(); run(); run(); run(); run(); run();\n`,
      "test/wide.test.js": `${tested(["tax/rates.js", "lib/other1.js", "lib/other2.js", "lib/other3.js"])}slovak(); slovak(); rounding();\n`,
    };
    const { reasons, gained } = await ranking(texts, "slovak rounding is wrong");
    expect(reasons("tax/registry.js")).toContain("imported by test/slovak.test.js");
    expect(gained("tax/registry.js")).toBeGreaterThan(gained("app/alone.js"));
    expect(gained("tax/registry.js")).toBeGreaterThan(gained("tax/rates.js"));
    expect(gained("app/alone.js")).toBeGreaterThan(0);
  });

  it.each([
    [
      "side by side",
      "slovak round",
      "export const slovakRound = 1;\nrun(slovak, round);\n",
      "round(); run(); slovak(); run();",
    ],
    ["in one line", "slovak and round", "run(); slovak(round);\nslovak(); round();\n", "slovak();\nround(); run();"],
  ])("raises a file that has words of the issue %s", async (how, title, together, apart) => {
    const texts = { ...filler, "far/apart.js": `${apart}\n`.repeat(3), "near/together.js": together };
    const { ranked, gained, reasons } = await ranking(texts, title);
    const beyondFavour = (path: string) => gained(path) - 0.9 * (ranked.find((one) => one.path === path)?.score ?? 0);
    expect(reasons("near/together.js")).toContain(`has words of the issue ${how}`);
    expect(beyondFavour("near/together.js")).toBeGreaterThan(beyondFavour("far/apart.js") + 0.01);
  });

  it("raises the importers of a hit, which share the gain", async () => {
    const one = await ranking(shop, "the discount is wrong");
    expect(one.reasons("app/desk.js")).toContain("imports src/discount.js");
    const texts = { ...shop, "app/till.js": shop["app/desk.js"] };
    const two = await ranking(texts, "the discount is wrong");
    expect(two.gained("app/desk.js")).toBeLessThan(one.gained("app/desk.js"));
    expect(two.gained("app/desk.js")).toBeGreaterThan(0);
  });

  it("adds no file just because it is near a hit or in the part that the title names", async () => {
    const texts = { ...shop, "src/unread.js": "run();\n", "tax-parser/unread.js": "run();\n" };
    const { paths } = await ranking(texts, "fix(taxparser): the discount is wrong");
    expect(paths).not.toContain("src/unread.js");
    expect(paths).not.toContain("tax-parser/unread.js");
    expect(paths).not.toContain("app/alone.js");
  });

  it("raises a file for each similar commit, the more the later it was and the fewer files it changed", async () => {
    const like = (path: string, at: number): Past => ({ message: `Add Slovak numbers ${at}`, paths: [path] });
    const often = [like("tax/registry.js", 0), like("tax/registry.js", 1), like("tax/rates.js", 2)];
    const both = await ranking(shop, "add a discount for Slovak", [...often, ...idle(20)]);
    expect(both.gained("tax/registry.js")).toBeGreaterThan(both.gained("tax/rates.js"));
    const late = await ranking(shop, "rounding is wrong", [
      { message: "tidy up", paths: ["tax/registry.js"] },
      ...idle(20),
      { message: "tidy up", paths: ["app/desk.js"] },
    ]);
    expect(late.gained("tax/registry.js")).toBeGreaterThan(late.gained("app/desk.js"));
    const wide = await ranking(shop, "rounding is wrong", [
      { message: "tidy up", paths: ["app/desk.js", "src/discount.js", "src/numbers.js"] },
      { message: "tidy up", paths: ["tax/registry.js"] },
    ]);
    expect(wide.gained("tax/registry.js")).toBeGreaterThan(wide.gained("app/desk.js"));
  });

  it("keeps the first file first, sorts the others by score and loses none", async () => {
    for (const past of [[], [{ message: "Slovak discount", paths: ["lib/other6.js", "lib/other7.js"] }]]) {
      const { ranked, joined } = await ranking(shop, "add a discount for Slovak", past);
      expect(joined[0]?.path).toBe(ranked[0]?.path);
      expect(joined.map(({ path }) => path)).toEqual(expect.arrayContaining(ranked.map(({ path }) => path)));
      expect(new Set(joined.map(({ path }) => path)).size).toBe(joined.length);
      const scores = joined.slice(1).map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    }
  });

  it("raises only source files, so that an issue about tests or documentation keeps its order", async () => {
    const past = [{ message: "discount docs", paths: ["test/discount.test.js", "docs/discount.md"] }, ...idle(5)];
    const texts = { ...shop, "docs/discount.md": "the discount\n", "test/discount.test.js": "discount();\n" };
    const { reasons, ranked } = await ranking(texts, "docs: the discount", past);
    for (const path of ["test/discount.test.js", "docs/discount.md"])
      expect(reasons(path)).toEqual(ranked.find((one) => one.path === path)?.reasons);
  });

  it("ignores commits that changed no present file, or very many", async () => {
    const { joined } = await ranking(shop, "add a discount for Slovak");
    const many = Array.from({ length: 13 }, (_, at) => `src/many${at}.js`);
    const texts = { ...shop, ...Object.fromEntries(many.map((path) => [path, "run();\n"])) };
    const without = await ranking(texts, "add a discount for Slovak");
    for (const paths of [[], ["gone.js"], ["test/discount.test.js"]])
      expect((await ranking(shop, "add a discount for Slovak", [{ message: "Add Slovak", paths }])).joined).toEqual(
        joined,
      );
    const wide = await ranking(texts, "add a discount for Slovak", [{ message: "Add Slovak", paths: many }]);
    expect(wide.joined).toEqual(without.joined);
  });

  it("accepts any titles and messages, and is deterministic", async () => {
    const odd = ["", "\n\n", "__proto__ constructor", "\u0000\ud800 Slovak", `Slovak ${"long ".repeat(50_000)}`];
    const titles = [...odd, "fix(((((", "[".repeat(5_000), `${"a/".repeat(5_000)}: b`, "fix(__proto__): discount"];
    for (const title of titles)
      for (const message of odd) {
        const past = [{ message, paths: ["tax/registry.js", "tax/registry.js"] }];
        expect((await ranking(shop, title, past)).joined).toEqual((await ranking(shop, title, past)).joined);
      }
  });

  it("accepts circular imports, unparsable files and no files", async () => {
    const texts = {
      "a.js": 'import "./b.js";\nexport const discount = 1;\n',
      "b.js": 'import "./a.js";\n',
      "c.kt": "discount\n",
      "d.js": "import import import discount ((((\n",
    };
    const first = await ranking(texts, "discount");
    expect((await ranking(texts, "discount")).joined).toEqual(first.joined);
    expect(first.paths).toContain("b.js");
    expect((await ranking({}, "discount", idle(3))).joined).toEqual([]);
  });
});
