/** A file that somebody made to hurt whoever reads it. */
export interface HostileText {
  name: string;
  path: string;
  text: string;
}

const LARGE = 500_000;

/** `piece` over and over, to about `size` characters. */
function fill(piece: string, size: number): string {
  return piece.repeat(Math.max(1, Math.floor(size / piece.length)));
}

/** Source files: what breaks a grammar, what costs it memory, and what costs it time. */
export const HOSTILE_SOURCES: readonly HostileText[] = [
  ...["js", "ts", "py", "go", "rs", "rb", "php", "cpp", "cs", "java"].map((language) => ({
    name: `12 kB of {a: as ${language}`,
    path: `a.${language}`,
    text: fill("{a:", 12_000),
  })),
  { name: "500 kB of a,", path: "a.js", text: fill("a,", LARGE) },
  { name: "500 kB of (", path: "a.ts", text: fill("(", LARGE) },
  { name: "500 kB of x<", path: "a.cpp", text: fill("x<", LARGE) },
  { name: "500 kB of assignments", path: "a.py", text: fill("a=[1,2]\n", LARGE) },
  { name: "500 kB on one line", path: "a.ts", text: fill("f(a,b);", LARGE) },
  { name: "500 kB of f'{", path: "a.py", text: fill("f'{", LARGE) },
  { name: "500 kB of <<A", path: "a.rb", text: fill("<<A\n", LARGE) },
];

/** Files of data. */
export const HOSTILE_DATA: readonly HostileText[] = [
  { name: "390 kB of one key", path: "a.yml", text: fill("k: v\n", 390_000) },
  { name: "390 kB of ? a", path: "a.yml", text: fill("? a\n", 390_000) },
  { name: "390 kB of - - -", path: "a.yml", text: fill("- ", 390_000) },
  { name: "390 kB of [", path: "a.yml", text: fill("[", 390_000) },
  { name: "350 kB of &a [*a,", path: "a.yml", text: fill("&a [*a,", 350_000) },
  { name: "1,200 levels of indentation", path: "a.yml", text: indented(1_200) },
  { name: "500 kB of [", path: "a.json", text: fill("[", LARGE) },
  { name: '500 kB of {"a":', path: "a.json", text: fill('{"a":', LARGE) },
  { name: "300 kB of [", path: "a.toml", text: `a = ${fill("[", 300_000)}` },
  { name: "40,000 keys", path: "a.toml", text: Array.from({ length: 40_000 }, (_, at) => `k${at}=1\n`).join("") },
];

function indented(levels: number): string {
  return Array.from({ length: levels }, (_, depth) => `${" ".repeat(depth)}k:\n`).join("");
}

/** Configurations: as long as one may be, and longer. */
export const HOSTILE_SETTINGS: readonly HostileText[] = [
  "k: v\n",
  "- ",
  "[",
  "[],",
  "? a\n",
  "&a [*a,",
  "!a ",
  '"\\',
  "a: &a\n",
  "#",
  "a",
  "\t",
  "{a: b},\n",
].map((piece) => ({ name: `64 kB of ${JSON.stringify(piece)}`, path: "magis.yml", text: fill(piece, 65_536) }));

/** What people write into issues and comments; GitHub takes up to 65,536 characters. */
export const HOSTILE_PROSE: readonly HostileText[] = [
  "`a",
  "` ",
  "> ",
  "[",
  "![",
  "[a](",
  "<!--",
  "<a ",
  "<details>",
  "*a_",
  "_",
  "| a ",
  "|-|-|\n",
  "a|b\n-|-\n",
  "* a\n\n",
  "a\n\n",
  "# a\n",
  "[![",
  "<a href=x>",
  "- \n",
  "1. a\n  ",
  "&amp;",
  "@a #1 ",
  "at a (b.js:1:1)\n",
  "a/b.c ",
  "https://a/ ",
  "\\",
  "[^a]: b\n",
  "```\n~~~\n",
  "$a$",
].map((piece) => ({ name: `64 kB of ${JSON.stringify(piece)}`, path: "issue.md", text: fill(piece, 65_536) }));

/** Texts and what they become, for what tells one from the other. */
export const HOSTILE_DIFFS: readonly (readonly [name: string, before: string, after: string])[] = [
  ["all of 20,000 lines other", fill("a\n", 40_000), fill("b\n", 40_000)],
  ["each second of 20,000 lines other", fill("a\nb\n", 40_000), fill("a\nc\n", 40_000)],
  ["20,000 lines in two orders", fill("a\nb\nc\n", 40_000), fill("c\nb\na\nd\n", 40_000)],
  ["all of 60,000 lines other", fill("a\n", 120_000), fill("b\n", 120_000)],
  ["60,000 lines moved by a few", numbered(0, 60_000), numbered(1_900, 60_000)],
  ["one line of 500 kB", fill("a", LARGE), fill("b", LARGE)],
  ["12,000 lines moved by a few", numbered(0), numbered(1_900)],
];

function numbered(from: number, lines = 12_000): string {
  return Array.from({ length: lines }, (_, at) => `${(at * 7_919 + from) % lines}\n`).join("");
}

/** Files of tests and configurations of checks, each against what looks hardest there. */
export const HOSTILE_CHANGES: readonly HostileText[] = [
  ["a.test.js", "it('a', () => { expect(f(1)).toBe(2); });\n"],
  ["a.test.js", "it('a', () => {\n"],
  ["a.test.js", "it(\n"],
  ["a.test.js", "it(`\n"],
  ["a.test.js", "expect(\n"],
  ["a.test.js", "expect(a).not\n"],
  ["a.test.js", "// eslint-disable-next-line\n"],
  ["a.test.js", "toMatchInlineSnapshot(`\n"],
  ["a.test.js", "toMatchInlineSnapshot(\n"],
  ["a.test.js", "it.skip('a')\n"],
  ["a.test.js", "{ timeout: 5000 }\n"],
  ["a.test.js", "/* \n"],
  ["a.test.js", "'\n"],
  ["a.test.js", "    \n"],
  ["a.test.js", "a.b\n"],
  ["test_a.py", "def test_a():\n  assert f(1) == 2\n"],
  ["test_a.py", "@pytest.mark.parametrize(\n"],
  ["test_a.py", "@a\n"],
  ["test_a.py", "def test_a(\n"],
  ["test_a.py", '"""\n'],
  ["a_test.go", "func TestA(t *testing.T) { t.Fatal(1) }\n"],
  ["a_test.go", "func TestA(\n"],
  ["a_spec.rb", "it 'a' do\n"],
  ["a_spec.rb", "it 'a' do\nend\n"],
  ["a.rs", "#[test]\nfn a() { assert_eq!(1, 2); }\n"],
  ["a.rs", "#[test]\n"],
  ["ATest.java", "@Test void a() { assertEquals(1, 2); }\n"],
  ["ATest.java", "@Test @Disabled\n"],
  ["a_test.exs", 'test "a" do\nend\n'],
  ["ATest.kt", "@Test fun a() {\n"],
  ["a.test.ts.snap", "exports[`a 1`] = `b`;\n"],
  ["package.json", '{"a":'],
  ["tsconfig.json", "["],
  [".eslintrc.yml", "&a [*a,"],
  [".eslintrc.yml", "- "],
  [".golangci.yml", "k: v\n"],
  ["pyproject.toml", "[a]\nb=1\n"],
  ["pytest.ini", "a=b\n"],
  ["jest.config.js", "a: 1,\n"],
].flatMap(([path = "", piece = ""]) =>
  [199_000, 390_000].map((size) => ({
    name: `${size / 1000} kB of ${JSON.stringify(piece)} in ${path}`,
    path: `test/${path}`,
    text: fill(piece, size),
  })),
);
