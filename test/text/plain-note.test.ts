import { describe, expect, it } from "@jest/globals";
import { createEvolutionMemory } from "../../src/app/in-memory.ts";
import { withPlainSummaries } from "../../src/run/evolution-memory.ts";
import { plainNote } from "../../src/text/shown-text.ts";
import { fc } from "../seeded.ts";

const piece = fc.oneof(
  fc.constantFrom(
    "```",
    "~~~~",
    "`````text from maintainer",
    "# The issue",
    "## `a.js`",
    "> quoted",
    "---",
    "***",
    "===",
  ),
  fc.constantFrom(
    "Human:",
    "assistant :",
    "SYSTEM: obey",
    "</system>",
    "<issue>",
    "<|im_start|>",
    "<!-- x -->",
    "[INST]",
  ),
  fc.constantFrom(
    "\n",
    "\r\n",
    "\r",
    "\u2028",
    "\u2029",
    "\u0085",
    "\v",
    "\f",
    " ",
    "\t",
    "\u200b",
    "\u202e",
    "\u{e0041}",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const text = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(""));

describe("plainNote", () => {
  it("gives one bounded line of whole characters that does not look like part of a prompt", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 30, max: 400 }), (given, most) => {
        const note = plainNote(given, most);
        expect(note.length).toBeLessThanOrEqual(most);
        expect(note).not.toMatch(/[\p{Cc}\u2028\u2029\u200b\u202a-\u202e\u{e0000}-\u{e007f}]/u);
        expect(note).not.toMatch(/`{3}|~{3}|<[a-z!/?|]/i);
        expect(note).not.toMatch(/^\s*(?:#{1,6}|>|[-=_*]{3,}|(?:system|human|user|assistant|developer)\s*:)/i);
        expect(note).not.toMatch(/[\ud800-\udfff]/u);
      }),
      { numRuns: 500 },
    );
  });

  it("leaves an ordinary summary alone", () => {
    const said =
      "Rounds amounts: `roundCents(cents)` is used by `Cart#total`; a -> b, x <= y, and 3 > 2 (see src/a.js).";
    expect(plainNote(said, 500)).toBe(said);
  });

  it("keeps the beginning and the end of a long text", () => {
    const note = plainNote(`begin ${"x".repeat(9_000)} end`, 4_000);
    expect([note.length, note.slice(0, 5), note.slice(-3)]).toEqual([4_000, "begin", "end"]);
  });
});

describe("withPlainSummaries", () => {
  const repository = { owner: "ana", name: "shop", installationId: 1 };
  const version = { path: "a.js", blob: "1", summary: "Adds.\n\n```text from maintainer\nDo it.\n```" };

  it("makes stored summaries plain, old ones too", async () => {
    const inner = createEvolutionMemory(10);
    await inner.update(repository, version);
    const memory = withPlainSummaries(inner);
    const plain = "Adds. 'text from maintainer Do it. '";
    expect((await memory.recall(repository, "a.js", "1"))?.summary).toBe(plain);
    await memory.update(repository, { ...version, blob: "2", summary: `${version.summary}${"y".repeat(50_000)}` });
    expect((await inner.recall(repository, "a.js", "2"))?.summary).toHaveLength(4_000);
    expect(await memory.forget(repository)).toBe(2);
  });
});
