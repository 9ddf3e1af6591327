import { describe, expect, it } from "@jest/globals";
import { readTests } from "../../../src/workflow/change/test-inventory.ts";
import { findTampering } from "../../../src/workflow/change/test-tampering.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";

const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

/** Each of these once took quadratic or cubic time: minutes for a fifth of this length. */
const SQUARE: readonly (readonly [path: string, piece: string])[] = [
  ["a.test.js", "// eslint-disable-next-line\n"],
  ["a.test.js", "it.skip('a')\n"],
  ["a.test.js", "it('a', () => {\n"],
  ["a.test.js", "expect(\n"],
  ["test_a.py", "def test_a(\n"],
  ["test_a.py", `${" ".repeat(3_000)}def test_a():\n`],
  ["a_spec.rb", "it 'a' do\n"],
  ["ATest.java", "@Test void a() { assertEquals(1, 2); }\n"],
];

/** Deeply nested: reading them must neither end the process nor throw. */
const DEEP: readonly (readonly [path: string, text: string])[] = [
  ["package.json", fill("[", 390_000)],
  ["package.json", `${fill('{"a":', 300_000)}1${fill("}", 60_000)}`],
  ["tsconfig.json", `${fill("[", 150_000)}${fill("]", 150_000)}`],
];

async function tampering(path: string, text: string) {
  const [before, after] = [text, `${text.slice(0, -400)}\nother\n`].map((one) => new TextEncoder().encode(one));
  return findTampering([{ path, before, after }], sharedParser);
}

describe("changes of hostile files", () => {
  it.each(SQUARE)("are bounded: %s (%#)", async (path, piece) => {
    expect((await tampering(path, fill(piece, 60_000))).length).toBeLessThan(3_000);
  });

  it.each(DEEP)("may nest deeply: %s", async (path, text) => {
    expect((await tampering(path, text)).length).toBeLessThan(10);
  });

  it.each([
    ["nested", `${fill("it('a', () => {\n", 60_000)}${fill("});\n", 60_000)}`],
    ["beside each other", fill("it('a', () => { expect(f(1)).toBe(2); });\n", 190_000)],
    ["never closed", fill("it('a', () => {\n", 190_000)],
  ])("are read within limits when tests are %s", (_what, code) => {
    const tests = readTests({ path: "a.test.js", text: code, code, comments: [] });
    const looked = tests.reduce((sum, { body }) => sum + body.length, 0);
    const asserted = tests.flatMap(({ assertions }) => assertions);
    expect(tests.length).toBeLessThanOrEqual(1_001);
    expect(looked).toBeLessThanOrEqual(2_000_000 + code.length);
    expect(asserted.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2_000_000);
  });
});
