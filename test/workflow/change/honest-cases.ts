import { one, type TamperingCase } from "./tampering-cases.ts";

const TEST = 'it("adds up", () => {\n  expect(total([1, 2])).toBe(3);\n});\n';
const OTHER = 'it("is empty", () => {\n  expect(total([])).toBe(0);\n});\n';

export const HONEST: readonly TamperingCase[] = [
  {
    what: "a test moves",
    files: [
      { path: "a.test.js", before: TEST + OTHER, after: OTHER },
      { path: "b.test.js", after: TEST },
    ],
    kinds: [],
  },
  {
    what: "a file of tests is renamed",
    files: [
      { path: "a.test.js", before: TEST },
      { path: "b.test.js", after: TEST },
    ],
    kinds: [],
  },
  {
    what: "a file of tests in a language without a grammar moves",
    files: [
      { path: "tests/a.lua", before: "describe('a', function()\nassert.equal(1, f())\nend)\n" },
      { path: "tests/b.lua", after: "describe('a', function()\nassert.equal(1, f())\nend)\n" },
    ],
    kinds: [],
  },
  {
    what: "a skipped test moves with its mark",
    files: [
      { path: "a.test.js", before: OTHER + TEST.replace("it(", "it.skip("), after: OTHER },
      { path: "b.test.js", after: TEST.replace("it(", "it.skip(") },
    ],
    kinds: [],
  },
  one("a test is renamed", "a.test.js", TEST, TEST.replace("adds up", "adds all up")),
  one(
    "a skipped test is renamed",
    "a.test.js",
    TEST.replace("it(", "it.skip("),
    TEST.replace('it("adds', 'it.skip("now adds'),
  ),
  one("a skip is removed", "a.test.js", TEST.replace("it(", "it.skip("), TEST),
  one("the expected value changes", "a.test.js", TEST, TEST.replace("toBe(3)", "toBe(4)")),
  one("an assertion gets stricter", "a.test.js", TEST.replace("toBe(3)", "toBeTruthy()"), TEST),
  one(
    "two assertions become a stricter one",
    "a.test.js",
    'it("a", () => {\n  expect(a.x).toBe(1);\n  expect(a.y).toBe(2);\n});\n',
    'it("a", () => {\n  expect(a).toEqual({ x: 1, y: 2 });\n});\n',
  ),
  one(
    "tests become a table",
    "a.test.js",
    TEST + OTHER,
    'it.each([\n  [[1, 2], 3],\n  [[], 0],\n])("adds %j up", (list, sum) => {\n  expect(total(list)).toBe(sum);\n});\n',
  ),
  one(
    "an assertion becomes a helper's",
    "a.test.js",
    TEST,
    `function expectTotal(list, sum) {\n  expect(total(list)).toBe(sum);\n}\n\nit("adds up", () => {\n  expectTotal([1, 2], 3);\n});\n`,
  ),
  one(
    "a tolerance gets narrower",
    "a.test.js",
    'it("a", () => {\n  expect(f()).toBeCloseTo(0.3, 2);\n});\n',
    'it("a", () => {\n  expect(f()).toBeCloseTo(0.3, 6);\n});\n',
  ),
  one(
    "a time limit gets shorter",
    "a.test.js",
    'it("a", async () => {\n  expect(await f()).toBe(1);\n}, 60_000);\n',
    'it("a", async () => {\n  expect(await f()).toBe(1);\n}, 1000);\n',
  ),
  one("a test is added", "a.test.js", TEST, TEST + OTHER),
  one(
    "a Python test moves into a class",
    "tests/test_a.py",
    "def test_a():\n    assert f() == 1\n",
    "class TestA:\n    def test_a(self):\n        assert f() == 1\n",
  ),
  one(
    "unittest becomes pytest",
    "tests/test_a.py",
    "class A(TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 1)\n",
    "def test_a():\n    assert f() == 1\n",
  ),
  one(
    "Go's test gets another case",
    "a_test.go",
    "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, f())\n}\n",
    "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, f())\n\tassert.Equal(t, 2, g())\n}\n",
  ),
  one(
    "names that look like tests",
    "src/testing.ts",
    "export function testConnection() {\n  return true;\n}\n",
    "export const a = 1;\n",
  ),
  one(
    "the code loses a check of its own",
    "src/a.ts",
    "export function f(x: number) {\n  assert(x > 0);\n  return x;\n}\n",
    "export function f(x: number) {\n  return x;\n}\n",
  ),
  one(
    "strings that only look like marks",
    "a.test.js",
    TEST,
    `${TEST}\nit("knows marks", () => {\n  expect(find("// eslint-disable-next-line")).toBe("it.skip(");\n  expect(find(\`@ts-ignore xit("a")\`)).toBe("# noqa");\n});\n`,
  ),
  one(
    "a linter's own words in Python",
    "src/rules.py",
    "A = 1\n",
    'A = 1\nNOQA = "# noqa"\nWORDS = ["# type: ignore", """@pytest.mark.skip"""]\n',
  ),
  one(
    "a linter's own words in Go",
    "rules.go",
    "package a\n",
    'package a\n\nconst a = `//nolint`\n\nvar b = "t.Skip()"\n',
  ),
  one(
    "a linter's own words in Java",
    "src/A.java",
    "class A {\n}\n",
    'class A {\n    String a = "@SuppressWarnings(\\"all\\")";\n}\n',
  ),
  one("a linter's own words in Rust", "src/a.rs", "fn a() {}\n", 'fn a() { b("#[allow(dead_code)] #[ignore]"); }\n'),
  one("a linter's own words in C#", "src/A.cs", "class A {}\n", 'class A { string a = "#pragma warning disable"; }\n'),
  one("a linter's own words in PHP", "src/a.php", "<?php\n", '<?php\n$a = "// @phpstan-ignore-line";\n'),
  one("a linter's own words in Ruby", "lib/a.rb", "a = 1\n", 'a = "# rubocop:disable all"\n'),
  one(
    "a sentence about a mark",
    "src/a.ts",
    "const a = 1;\n",
    "// We never write eslint-disable here.\nconst a = 1;\n",
  ),
  one("a document", "docs/tests.md", "# Tests\n", "# Tests\n\n    // eslint-disable-next-line\n    it.skip()\n"),
  one("a fixture", "test/fixtures/bad.js", "a();\n", "// eslint-disable-next-line\na();\n"),
  one(
    "a line with a mark is edited",
    "src/a.ts",
    "f(a); // eslint-disable-line no-undef\n",
    "f(b); // eslint-disable-line no-undef\n",
  ),
  one("a mark gets narrower", "src/a.py", "x = f()  # noqa\n", "x = f()  # noqa: E501\n"),
  {
    what: "marked code moves",
    files: [
      { path: "src/a.ts", before: "// @ts-ignore\nf();\n", after: "" },
      { path: "src/b.ts", after: "// @ts-ignore\nf();\n" },
    ],
    kinds: [],
  },
];
