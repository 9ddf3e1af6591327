import { describe, expect, it } from "@jest/globals";
import { createSourceParser } from "../../src/code/tree-sitter/source-parser.ts";
import { addFurtherEvidence } from "../../src/search/further-evidence.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { indexFiles } from "./index-files.ts";

const parser = createSourceParser();

const FIX = "0123456789abcdef0123456789abcdef01234567";

const idOf = (at: number) => `${at}`.padStart(40, "f");

interface Past {
  message: string;
  paths: readonly string[];
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
    parser,
    textOf: async ({ path }) => texts[path] ?? "",
  });
  const gained = (path: string) =>
    (joined.find((one) => one.path === path)?.score ?? 0) - (ranked.find((one) => one.path === path)?.score ?? 0);
  const reasons = (path: string) => joined.find((one) => one.path === path)?.reasons ?? [];
  return { ranked, joined, gained, reasons, paths: joined.map(({ path }) => path) };
}

const shop = {
  "src/discount.js": "export function discount() {}\n",
  "src/slovak.js": "slovak(); slovak(); run();\n",
  "src/together.js": "export const slovakRound = 1;\n",
  "src/apart.js": "round(); run(); slovak();\n",
  "src/errors.js": 'fail("cannot " +\n  "apply the discount twice", code);\n',
  "tax/registry.js": "export const all = [];\n",
  "tax/rates.js": "export const rates = [];\n",
  "test/discount.test.js": "discount();\n",
  "docs/discount.md": "the discount\n",
};

const idle = Array.from({ length: 20 }, (_, at): Past => ({ message: `tidy up ${at}`, paths: ["src/apart.js"] }));

describe("addFurtherEvidence", () => {
  it.each([
    ["v-for loses its key", "src/transforms/vFor.ts"],
    ["`vFor` loses its key", "src/transforms/vFor.ts"],
    ["max-open-files is ignored", "src/limits.py"],
    ["maxOpenFiles is ignored", "src/limits.py"],
    ["`Shape` prints nothing", "src/shape.py"],
    ["`Circle` prints nothing", "src/circle.py"],
    ["`tri_angle` prints nothing", "src/three.pl"],
  ])("brings the file that defines a name, however it is spelt, before those that list it: %s", async (title, path) => {
    const list =
      "from shapes import Shape, Circle, tri_angle\n__all__ = [Shape, Circle, vFor, max_open_files]\n".repeat(2);
    const { paths, reasons } = await ranking(
      {
        "lib/__init__.py": list,
        "lib/registry.py": `# class Shape\n"""\nclass Circle:\n"""\n${list}`,
        "src/shape.py": `\nclass Shape:\n${"    def draw(self): run()\n".repeat(9)}`,
        "src/circle.py": `\nclass Circle:\n${"    def fill(self): run()\n".repeat(9)}`,
        "src/limits.py": `\ndef max_open_files():\n${"    run()\n".repeat(9)}`,
        "src/three.pl": `sub tri_angle {\n${"  run();\n".repeat(9)}}\n`,
        "src/transforms/vFor.ts": "run();\n".repeat(9),
      },
      title,
    );
    expect(paths[0]).toBe(path);
    expect(reasons(path).join()).toContain("defines `");
  });

  it("takes no notice of a name that many files define", async () => {
    const many = Array.from({ length: 9 }, (_, at) => [`lib/${at}.js`, "export function setUp() {}\n"]);
    const { reasons } = await ranking({ ...shop, ...Object.fromEntries(many) }, "`setUp` fails");
    expect(reasons("lib/0.js").join()).not.toContain("defines");
  });

  it("raises candidates in the folders of the best", async () => {
    const texts = {
      "tax/round.js": "export const rounded = rate;\n",
      "tax/near.js": "rate();\n",
      "far/away.js": "rate();\n",
    };
    const { gained } = await ranking({ ...shop, ...texts }, "rounded rate");
    expect(gained("tax/near.js")).toBeGreaterThan(gained("far/away.js"));
    expect(gained("tax/registry.js")).toBe(0);
  });

  it.each([
    ['"cannot apply the discount twice"'],
    ["Error: cannot apply the discount twice"],
    ["`cannot apply the discount twice: 12`"],
  ])("brings the file with the quoted message to the top: %s", async (message) => {
    const { paths, reasons } = await ranking(shop, `discount, discount: discount() says ${message}`);
    expect(paths[0]).toBe("src/errors.js");
    expect(reasons("src/errors.js")[0]).toMatch(/^has the message `cannot apply the discount twice/);
  });

  it("takes no notice of a message that stands in many files", async () => {
    const many = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`lib/${at}.js`, shop["src/errors.js"]]));
    const { reasons } = await ranking({ ...shop, ...many }, '"cannot apply the discount twice"');
    expect(reasons("src/errors.js").join()).not.toContain("has the message");
  });

  it("adds a file that the most similar commit changed, though it has no word of the issue", async () => {
    const past = [{ message: "Add Slovak", paths: ["tax/registry.js", "gone.js", "test/discount.test.js"] }, ...idle];
    const { ranked, reasons } = await ranking(shop, "add a discount for Slovak", past);
    expect(ranked.map((one) => one.path)).not.toContain("tax/registry.js");
    expect(reasons("tax/registry.js")[0]).toBe("012345678, a past commit about this, changed it");
  });

  it("gives more the fewer files the commit changed, and nothing for very many", async () => {
    const past = [
      { message: "Add Slovak", paths: ["tax/rates.js", "src/slovak.js", "src/apart.js"] },
      { message: "Add Slovak", paths: ["tax/registry.js"] },
    ];
    const { gained, reasons } = await ranking(shop, "add Slovak", past);
    expect(reasons("tax/registry.js").join()).toContain("a past commit about this");
    expect(reasons("tax/rates.js").join()).not.toContain("a past commit about this");
    expect(gained("tax/rates.js")).toBeGreaterThan(0);
    expect(gained("tax/registry.js")).toBeGreaterThan(gained("tax/rates.js"));
    const many = Array.from({ length: 13 }, (_, at) => `src/many${at}.js`);
    const texts = { ...shop, ...Object.fromEntries(many.map((path) => [path, "run();\n"])) };
    const wide = await ranking(texts, "add Slovak", [{ message: "Add Slovak", paths: many }]);
    expect(wide.gained("src/many0.js")).toBe(0);
  });

  it("raises a file that has words of the issue side by side", async () => {
    const { reasons } = await ranking(shop, "slovak round");
    expect(reasons("src/together.js")).toContain("has words of the issue side by side");
    expect(reasons("src/apart.js").join()).not.toContain("side by side");
  });

  it("raises only source files, so that an issue about tests or documentation keeps its order", async () => {
    const past = [{ message: "discount docs", paths: ["test/discount.test.js", "docs/discount.md"] }, ...idle];
    const { reasons, ranked } = await ranking(shop, "docs: the discount", past);
    for (const path of ["test/discount.test.js", "docs/discount.md"])
      expect(reasons(path)).toEqual(ranked.find((one) => one.path === path)?.reasons);
  });

  it("sorts by score and loses no file", async () => {
    const { ranked, joined } = await ranking(shop, "add a discount for Slovak", idle);
    expect(joined.map(({ path }) => path)).toEqual(expect.arrayContaining(ranked.map(({ path }) => path)));
    expect(new Set(joined.map(({ path }) => path)).size).toBe(joined.length);
    const scores = joined.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it("accepts any titles and messages and no files, and is deterministic", async () => {
    const odd = [
      "",
      "\n\n",
      "__proto__ constructor",
      "\u0000\ud800 Slovak",
      `Slovak ${"long ".repeat(5_000)}`,
      '"""""',
    ];
    for (const title of odd)
      for (const message of odd) {
        const past = [{ message, paths: ["tax/registry.js", "tax/registry.js"] }];
        expect((await ranking(shop, title, past)).joined).toEqual((await ranking(shop, title, past)).joined);
      }
    expect((await ranking({}, "discount", idle)).joined).toEqual([]);
  });
});
