import { describe, expect, it } from "@jest/globals";
import { type FreeEdits, findEditedTests, linesOf } from "../../src/change/edited-tests.ts";
import { sharedParser } from "../fakes/shared-parser.ts";
import { fc } from "../seeded.ts";
import { edited, SAMPLES } from "./sample-tests.ts";

type Change = readonly [path: string, before: string | undefined, after: string | undefined];

const bytesOf = (text: string | undefined) => (text === undefined ? undefined : new TextEncoder().encode(text));

const shown = (changes: readonly Change[], free: FreeEdits = {}) =>
  findEditedTests(
    changes.map(([path, before, after]) => ({ path, before: bytesOf(before), after: bytesOf(after) })),
    free,
    sharedParser,
  );

const sample = (path: string) => SAMPLES[path] ?? "";

const [JS, PY, GO, JAVA, RUBY] = [
  "a.test.js",
  "tests/test_cart.py",
  "cart_test.go",
  "src/test/java/a/CartTest.java",
  "spec/cart_spec.rb",
] as const;

const TABLE =
  'it.each([\n  [1, 2],\n  [2, 4],\n])("doubles %i", (one, two) => {\n  expect(double(one)).toBe(two);\n});\n';

describe("an edit that weakens what judges the change", () => {
  it.each<readonly [what: string, ...Change]>([
    ["a deleted assertion", ...edited(JS, /\n.*expect.*/, "")],
    ["a deleted test", ...edited(RUBY, / {2}it[\s\S]*?end\n/, "")],
    ["a deleted file of tests", PY, sample(PY), undefined],
    ["a test by the whole of its name", "src/ui/button/test.js", sample(JS), sample(JS).replace(/\n.*expect.*/, "")],
    ["a deleted helper", "test/helpers.js", "export const check = (a) => expect(a).toBe(1);\n", undefined],
    ["a skipped test", ...edited(JS, "it(", "it.skip(")],
    ["a skip as an attribute", ...edited(PY, "def test", "@pytest.mark.skip\ndef test")],
    ["a mark that skips a whole file", ...edited(PY, "\n\ndef", "pytestmark = pytest.mark.skip\n\n\ndef")],
    ["a test that makes others stand back", ...edited(JS, "  it(", '  it.only("is", () => {});\n  it(')],
    ["a loosened tolerance", ...edited(PY, "== 3", "== pytest.approx(3, abs=9)")],
    ["retries", ...edited(JS, "describe", "jest.retryTimes(9);\n\ndescribe")],
    ["an early return", ...edited(GO, "\tif got", "\treturn\n\tif got")],
    ["an assertion that never runs", ...edited(JS, "expect(", "if (false) expect(")],
    ["a stub of what is tested", ...edited(RUBY, "    expect", "    allow(self).to receive(:total)\n    expect")],
    ["another function under the tested name", ...edited(PY, "def test", "def total(_):\n    return 3\n\n\ndef test")],
    ["the tested name from elsewhere", ...edited(PY, "total\n", "total\nfrom fake import total\n")],
    ["the tested name from elsewhere, by another name", ...edited(PY, "total\n", "total\nimport fake as total\n")],
    ["any name from elsewhere", ...edited(PY, "total\n", "total\nfrom fake import *\n")],
    ["more than an import in a new line", ...edited(PY, "import pytest", "import os; os.kill(0, 9)\nimport pytest")],
    ["more than an import in an import's line", ...edited(JS, '/cart";', '/cart"; process.exit(0);')],
    ["the tested name in other words", ...edited(JS, "{ total }", "{ zero as total, total as unused }")],
    ["a hook", ...edited(JS, "  it(", "  afterEach(() => process.exit(0));\n  it(")],
    ["a hook by its name", ...edited(GO, "func", "func TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n\nfunc")],
    ["a hook by its attribute", ...edited(JAVA, "    @Test", "    @BeforeEach\n    void stop() {}\n\n    @Test")],
    ["an empty macro", ...edited("tests/cart_test.cc", "TEST(", "#define EXPECT_EQ(a, b)\n\nTEST(")],
    ["a build tag", ...edited(GO, "package", "//go:build never\n\npackage")],
    ["a test renamed out of the runner's pattern", ...edited(PY, "def test_adds", "def check_adds")],
    ["a removed attribute", ...edited("test/CartTests.cs", "    [Fact]\n", "")],
    ["a commented test", ...edited(JS, /^( {2}it[\s\S]*\);\n)(?=}\))/m, "/*\n$1*/\n")],
    ["a removed row of a table", "a.test.js", TABLE, TABLE.replace("  [2, 4],\n", "")],
    ["a test in a language without a parser", ...edited("spec/cart_spec.lua", "it(", "pending(")],
    ["a changed snapshot", "test/__snapshots__/a.test.js.snap", "exports[`a 1`] = `3`;\n", "exports[`a 1`] = `4`;\n"],
    ["an emptied fixture", "test/fixtures/cart.json", '{"total":3}\n', ""],
    ["an emptied fixture with an odd name", "test/fixtures/cart.min.js", "cart(3);\n", ""],
    ["a changed command of CI", ".github/workflows/ci.yml", "run: npm test\n", "run: npm test || true\n"],
    ["a changed script", "package.json", '{"scripts":{"test":"jest"}}', '{"scripts":{"test":"true"}}'],
    ["the configuration of a runner", "jest.config.js", "export default {};\n", "export default { bail: 1 };\n"],
    ["a new configuration of a runner", "pytest.ini", undefined, "[pytest]\naddopts = --deselect a\n"],
    ["the configuration of a linter", ".eslintrc.json", "{}\n", '{"rules":{"no-undef":"off"}}\n'],
    ["a hook in conftest.py", "tests/conftest.py", "import pytest\n", "import pytest\n\n\ndef hook():\n    pass\n"],
    [
      "an import that opens a comment",
      "a.test.js",
      sample("a.test.js"),
      sample("a.test.js").replace('";\n', '"; /*\n'),
    ],
  ])("is shown in one thread: %s", async (_, ...change) => {
    expect(await shown([change])).toMatchObject([{ path: change[0] }]);
  });

  it("is shown for any change of any line of a test, with its line", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.entries(SAMPLES).filter(([path]) => path !== "src/cart.rs")),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 20 }),
        async ([path, before], at, text) => {
          const lines = before.trimEnd().split("\n");
          const written = lines.flatMap((line, row) => (line === "" ? [] : [row]));
          const index = written[at % written.length] ?? 0;
          const added = text.replace(/\s/g, "x");
          const after = lines.map((line, row) => (row === index ? `${line}${added}` : line)).join("\n");
          expect(await shown([[path, before, `${after}\n`]])).toMatchObject([{ path, line: index + 1 }]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("is one thread a file, which names the lines", async () => {
    const before = `${sample(PY)}\n\n${sample(PY).slice(42).replace("adds", "adds_more")}`;
    const after = before.replaceAll("== 3", "== 4");
    const other: Change = ["a.test.js", sample(JS), undefined];
    expect(await shown([[PY, before, after], other])).toEqual([
      { path: PY, line: 6, what: "edits existing tests (lines 6 and 10)" },
      { path: "a.test.js", what: "removes existing tests" },
    ]);
  });

  it("is shown for a file that is no text", async () => {
    const files = [{ path: "test/fixtures/a.bin", before: new Uint8Array([0, 1]), after: new Uint8Array([0]) }];
    expect(await findEditedTests(files, {}, sharedParser)).toHaveLength(1);
  });
});

const added = (path: string, at: string, test: string): Change => {
  const text = sample(path);
  return [path, text, text.replace(at, `${at}${test}`)];
};

describe("an edit that is free", () => {
  it.each<readonly [what: string, ...Change]>([
    ["a new file of tests", "b.test.js", undefined, sample(JS)],
    ["a new snapshot", "test/__snapshots__/b.snap", undefined, "exports[`b 1`] = `1`;\n"],
    ["code that is no test", "src/cart.js", "export const a = 4;\n", "export const a = 3;\n"],
    ["a document", "docs/tests.md", "# Tests\n", "# All tests\n"],
    ["code beside Rust's tests", ...edited("src/cart.rs", "{ 3 }", "{ 1 + 2 }")],
    ["a function above Rust's tests", ...edited("src/cart.rs", "#[cfg", "fn one() -> i32 { 1 }\n\n#[cfg")],
    [
      "a test in JavaScript",
      ...added(JS, "(3);\n  });", '\n\n  it("is empty", () => {\n    expect(total([])).toBe(0);\n  });'),
    ],
    ["a test in Python", ...added(PY, "== 3", "\n\n\ndef test_empty():\n    assert total([]) == 0")],
    ["a test with an import", PY, sample(PY), `import json\n${sample(PY)}\n\ndef test_json():\n    assert json\n`],
    ["an import that brings more", ...edited(JS, "{ total }", "{ total, average }")],
    ["a module that is required", ...edited(JS, "\ndescribe", 'const { join } = require("node:path");\n\ndescribe')],
    [
      "an import that goes over lines",
      "a.test.js",
      "import {\n  total,\n} from './cart';\n\nit('a', () => {});\n",
      "import {\n  total,\n  average,\n} from './cart';\n\nit('a', () => {});\n",
    ],
    ["a helper for a test", ...added(PY, "total\n", "\n\ndef cart_of(count):\n    return [1] * count\n")],
    ["a test in Go", ...added(GO, "\t}\n}", "\n\nfunc TestEmpty(t *testing.T) {\n\tassert.Equal(t, 0, Total())\n}")],
    [
      "a case in Go's test",
      "a_test.go",
      'package a\n\nfunc TestA(t *testing.T) {\n\tt.Run("a", func(t *testing.T) {\n\t\tf(t)\n\t})\n}\n',
      'package a\n\nfunc TestA(t *testing.T) {\n\tt.Run("a", func(t *testing.T) {\n\t\tf(t)\n\t})\n\tt.Run("b", func(t *testing.T) {\n\t\tg(t)\n\t})\n}\n',
    ],
    [
      "a test in Java",
      ...added(JAVA, "2));\n    }", "\n\n    @Test\n    void empty() {\n        assertEquals(0, Cart.total());\n    }"),
    ],
    [
      "a test before others in Java",
      ...edited(
        JAVA,
        "    @Test",
        "    @Test\n    void empty() {\n        assertEquals(0, Cart.total());\n    }\n\n    @Test",
      ),
    ],
    [
      "a test in Rust",
      ...added(
        "src/cart.rs",
        "3);\n    }",
        "\n\n    #[test]\n    fn is_empty() {\n        assert_eq!(total() - 3, 0);\n    }",
      ),
    ],
    ["a test in C++", ...added("tests/cart_test.cc", "3);\n}", "\n\nTEST(Cart, Empty) {\n  EXPECT_EQ(total(), 0);\n}")],
  ])("as a whole new declaration, or elsewhere: %s", async (_, ...change) => {
    expect(await shown([change])).toEqual([]);
  });

  it("on the lines that the failing check names, and on no others", async () => {
    const change = edited(PY, "== 3", "== 4");
    const named = (path: string, line: number) => ({ named: linesOf([{ path, line }]) });
    expect(await shown([change], named(PY, 6))).toEqual([]);
    expect(await shown([change], named(PY, 5))).toHaveLength(1);
    expect(await shown([change], named("tests/test_other.py", 6))).toHaveLength(1);
  });

  const two = `${sample(JS)}\nit("is own", () => {\n  expect(own()).toBe(1);\n});\n`;
  const onBase = (text: string | undefined) => ({ onBase: async () => bytesOf(text) });
  it.each<readonly [what: string, base: string | undefined, ...Change]>([
    ["the bot's own file", undefined, JS, sample(JS), sample(JS).replace("toBe(3)", "toBe(4)")],
    ["the bot's own file, deleted", undefined, JS, sample(JS), undefined],
    ["the bot's own test in a file of the base", sample(JS), JS, two, two.replace("toBe(1)", "toBe(2)")],
    ["the bot's own test, deleted", sample(JS), JS, two, sample(JS)],
    ["a line put back as the base has it", sample(JS), JS, sample(JS).replace("toBe(3)", "toBe(4)"), sample(JS)],
    ["a file put back as the base has it", sample(JS), JS, undefined, sample(JS)],
  ])("since the base branch does not have it otherwise: %s", async (_, base, ...change) => {
    expect(await shown([change], onBase(base))).toEqual([]);
  });

  it.each<readonly [what: string, base: string | undefined, ...Change]>([
    ["a test of the base beside the bot's own", sample(JS), JS, two, two.replace("toBe(3)", "toBe(4)")],
    [
      "the bot's own line in a test of the base",
      sample(PY),
      PY,
      `${sample(PY)}    assert total([]) == 0\n`,
      `${sample(PY)}    return\n`,
    ],
  ])("unlike what the base branch has: %s", async (_, base, ...change) => {
    expect(await shown([change], onBase(base))).toHaveLength(1);
  });
});

/** A maintainer's thread on a line, or words in a comment. */
const thread = (path: string, line: number): FreeEdits => ({ discussed: linesOf([{ path, line }]) });
const words = (...said: string[]): FreeEdits => ({ words: said });

const MORE = 'it("retruns the sum", () => {\n  expect(total([1])).toBe(1);\n});\n';
const SNAP = "exports[`a 1`] = `3`;\n";

describe("an ordinary revision", () => {
  it.each<readonly [what: string, threads: number, free: FreeEdits, ...(readonly Change[])]>([
    [
      "also test the empty cart",
      0,
      words("Please also test the empty cart."),
      added(JS, "3);\n  });", '\n\n  it("is empty", () => {\n    expect(total([])).toBe(0);\n  });'),
    ],
    ["rename this test", 0, thread(JS, 4), edited(JS, "adds up", "adds all up")],
    [
      "a typo in a test's name",
      0,
      words('There is a typo in "retruns the sum".'),
      [JS, MORE, MORE.replace("retruns", "returns")],
    ],
    ["a typo in a name", 0, words("test_adds should be test_adds_up"), edited(PY, "test_adds", "test_adds_up")],
    ["skip this one for now", 0, thread(JS, 5), edited(JS, "it(", "it.skip(")],
    [
      "a refreshed snapshot",
      1,
      words("Refresh the snapshots, please."),
      ["test/__snapshots__/a.js.snap", SNAP, SNAP.replace("3", "4")],
    ],
    [
      "a line of a snapshot",
      0,
      thread("test/__snapshots__/a.js.snap", 1),
      ["test/__snapshots__/a.js.snap", SNAP, SNAP.replace("3", "4")],
    ],
    [
      "move this test to a file that is named",
      0,
      { ...thread(JS, 1), ...words("Move this to `sum.test.js`.") },
      [JS, MORE + TABLE, TABLE],
      ["sum.test.js", TABLE.replace("doubles", "halves"), `${TABLE.replace("doubles", "halves")}\n${MORE}`],
    ],
    ["another case for this table", 0, thread(JS, 2), [JS, TABLE, TABLE.replace("[2, 4],\n", "[2, 4],\n  [3, 6],\n")]],
    [
      "delete a file that is named",
      0,
      words("Delete tests/test_cart.py: it tests what is gone."),
      [PY, sample(PY), undefined],
    ],
    [
      "use another library",
      1,
      words("Use `semver` in place of this."),
      ["package.json", '{\n  "dependencies": {}\n}\n', '{\n  "dependencies": { "semver": "7" }\n}\n'],
    ],
    [
      "make these tests a table",
      0,
      {
        discussed: linesOf([
          { path: JS, line: 1 },
          { path: JS, line: 6 },
        ]),
      },
      [JS, `${MORE}\n${MORE.replace("sum", "sums")}`, TABLE],
    ],
    [
      "rename `total` everywhere",
      2,
      words("Call it `sum`."),
      edited(JS, /total/g, "sum"),
      edited(PY, /total/g, "sum"),
      ["src/cart.js", "export const total = 1;\n", "export const sum = 1;\n"],
    ],
  ])("gives none to two threads: %s", async (_, threads, free, ...changes) => {
    expect(await shown(changes, free)).toHaveLength(threads);
  });

  it.each<readonly [what: string, free: FreeEdits, ...Change]>([
    ["a thread on another test", thread(JS, 1), JS, TABLE + MORE, TABLE + MORE.replace("toBe(1)", "toBe(2)")],
    ["a thread on a group, within which no test is meant", thread(JS, 6 + 2), ...edited(JS, "adds up", "adds")],
    ["a name in a quotation", words('> "adds up"\n\nNo.'), ...edited(JS, "adds up", "adds")],
    ["a name in a piece of code", words('```\n"adds up"\n```'), ...edited(JS, "adds up", "adds")],
    ["plain words that are also a title", words("I hope it adds up."), ...edited(JS, "adds up", "adds")],
    ["a name of a group", words('Split "cart".'), ...edited(JS, "adds up", "adds")],
    ["another file of the same name", words("See b/a.test.js."), ...edited(JS, "adds up", "adds")],
  ])("shows what is not meant literally: %s", async (_, free, ...change) => {
    expect(await shown([change], free)).toHaveLength(1);
  });
});

describe("any change", () => {
  it("never throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("a.test.ts", "tests/test_a.py", "src/a.rs", "spec/a.lua", "package.json"),
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        fc.string(),
        async (path, before, after, said) => {
          await shown([[path, before, after]], { ...thread(path, 1), ...words(said) });
        },
      ),
      { numRuns: 200 },
    );
  });
});
