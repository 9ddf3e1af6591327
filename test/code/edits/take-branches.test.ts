import { describe, expect, it } from "@jest/globals";
import { longProse, takeBranches } from "../../../src/code/edits/take-branches.ts";
import { fc } from "../../seeded.ts";

/** The lines taken from `text`, at most `most`, when lines with `word` match the issue. */
function taken(text: string, most: number, word: string): string[] {
  const lines = text.split("\n");
  const shown = new Set<number>();
  takeBranches(
    lines,
    { start: 1, end: lines.length },
    {
      scores: lines.map((line) => (line.includes(word) ? 1 : 0)),
      take: (numbers) => {
        const fresh = numbers.filter((at) => !shown.has(at));
        if (shown.size + fresh.length > most) return false;
        for (const at of fresh) shown.add(at);
        return true;
      },
    },
  );
  return [...shown].sort((a, b) => a - b).map((at) => lines[at - 1] ?? "");
}

const branch = (name: string) => [
  `  if (${name}) {`,
  "    // what follows",
  ...Array.from({ length: 8 }, (_, at) => `    ${name}(${at});`),
  "  }",
];

const code = ["function f(a) {", "  let b = a;", ...["one", "two", "three", "four"].flatMap(branch), "}"].join("\n");

describe("takeBranches", () => {
  it("takes the function's head, and the whole branch that matches the issue", () => {
    expect(taken(code, 16, "three(")).toEqual(
      expect.arrayContaining(["function f(a) {", "  if (three) {", "    three(0);", "    three(7);"]),
    );
    expect(taken(code, 16, "three(").join("\n")).not.toContain("two(7)");
  });

  it("takes the first line and the best part of a branch that is too long", () => {
    const deep = ["def f(a):", "  b = a", "  if a:", ...Array(60).fill("    g()"), "    if b:", "      hit()"].join(
      "\n",
    );
    expect(taken(deep, 12, "hit")).toEqual(expect.arrayContaining(["  if a:", "    if b:", "      hit()"]));
  });

  it("takes the statements around the best one from a long run", () => {
    const flat = Array.from({ length: 100 }, (_, at) => `step(${at});`).join("\n");
    expect(taken(flat, 20, "step(50)")).toEqual(
      expect.arrayContaining(["step(0);", "step(44);", "step(50);", "step(56);"]),
    );
  });

  it("takes each line at most once, and all of them where there is room", () => {
    const line = fc.tuple(fc.nat(6), fc.constantFrom("a();", "if (b) {", "}", "", "// c", "hit();", "end", '"""'));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), fc.nat(60), (parts, most) => {
        const text = parts.map(([depth, words]) => " ".repeat(depth * 2) + words).join("\n");
        expect(taken(text, most, "hit").length).toBeLessThanOrEqual(most);
        expect(taken(text, 60, "hit").join("\n")).toBe(text);
      }),
    );
  });

  it("handles a hundred thousand lines, and any depth", () => {
    const wide = Array.from({ length: 100_000 }, (_, at) => `${" ".repeat(at % 3)}hit(${at});`).join("\n");
    expect(taken(wide, 50, "hit")).toHaveLength(50);
    const deep = Array.from({ length: 2_000 }, (_, at) => `${" ".repeat(at)}if (hit) {`).join("\n");
    expect(taken(deep, 50, "hit").length).toBeLessThanOrEqual(50);
  });
});

describe("longProse", () => {
  const lines = (count: number, word: string) => Array.from({ length: count }, (_, at) => `    ${word}(${at})`);
  const proseOf = (text: readonly string[]) => longProse(text.map((line) => `${line}\n`)).flat();
  const numbersOf = (text: readonly string[], word: string) =>
    text.flatMap((line, at) => (line.includes(word) ? [at + 1] : []));

  it.each([
    ["a Python string", '    query = """\\', '    """'],
    ["an argument in quotes of the other kind", "    run(f'''", "    ''')"],
    ["an interpolated text of Scala", '    val query = sql"""', '    """.as(one)'],
    ["a Java text block", '    String text = """', '    """;'],
    ["an Elixir attribute", '  @doc """', '  """'],
  ])("does not take the code behind %s for prose", (_, opening, closing) => {
    const text = ["def f():", opening, ...lines(9, "text"), closing, ...lines(9, "code"), '    """', '    """'];
    expect(proseOf(text)).toEqual([]);
  });

  it.each(["    run(", "    run(a,", "    text = \\\\"])("does not take a text for prose that follows %j", (before) => {
    const text = ["def f():", before, "", '    """', ...lines(12, "text"), '    """', ...lines(12, "code")];
    expect(proseOf(text)).toEqual([]);
  });

  it("takes a docstring for prose, and none of the code around it", () => {
    const text = ['x = """a"""', "def f():", '    r"""Says', ...lines(9, "word"), '    """', ...lines(9, "code")];
    expect(proseOf(text)).toEqual([...numbersOf(text, "word").slice(1), 13]);
  });

  it("leaves a comment of a few lines whole", () => {
    const comment = Array.from({ length: 10 }, (_, at) => `    # sample ${at}`);
    expect(proseOf(["def f():", ...comment, ...lines(9, "code")])).toEqual([]);
    expect(proseOf(["def f():", ...comment, "    # sample 10", ...lines(9, "code")])).toHaveLength(9);
  });

  it.each(['if line.startswith(\'"""\'):', 'eq(a, \'"""b"""\', \'c."""d"""(e)\')', '# ends with """'])(
    "ignores the quotes in %j",
    (line) => {
      const text = [line, "def f():", '    """Says', ...lines(9, "word"), '    """', ...lines(9, "code")];
      expect(proseOf(text)).toEqual([...numbersOf(text, "word").slice(1), 13]);
    },
  );
});
