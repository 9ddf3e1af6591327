import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mergeText, type TextMerge } from "../../../src/code/edits/merge-text.ts";
import { fc } from "../../seeded.ts";
import { runProgram } from "../../world/git/run-program.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "magis-merge-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Texts {
  base: string;
  ours: string;
  theirs: string;
}

const merge = ({ base, ours, theirs }: Texts, encoding: BufferEncoding = "utf8"): TextMerge =>
  mergeText({
    base: Buffer.from(base, encoding),
    ours: Buffer.from(ours, encoding),
    theirs: Buffer.from(theirs, encoding),
  });

/** The merged text; undefined for a conflict. */
const textOf = (merged: TextMerge): string | undefined =>
  merged.kind === "clean" ? Buffer.from(merged.content).toString() : undefined;

async function mergeByGit(texts: Texts): Promise<string | undefined> {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const args = ["merge-file", "-p", "ours", "base", "theirs"];
  const { code, out } = await runProgram({ command: "git", args, cwd: folder, env, input: "" });
  return code === 0 ? out.toString() : undefined;
}

type Edit = readonly [at: number, count: number, lines: readonly string[]];

/** A text of lines that often repeat, and two versions of it with a few edits each. */
function versions(line: fc.Arbitrary<string>): fc.Arbitrary<Texts> {
  const edits = fc.array(fc.tuple(fc.nat(24), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 3 });
  const edited = (lines: readonly string[], all: readonly Edit[]) => {
    const made = [...lines];
    for (const [at, count, text] of all) made.splice(Math.min(at, made.length), count, ...text);
    return made.join("");
  };
  return fc.tuple(fc.array(line, { minLength: 3, maxLength: 25 }), edits, edits).map(([base, own, other]) => ({
    base: base.join(""),
    ours: edited(base, own),
    theirs: edited(base, other),
  }));
}

const REPEATED = fc.constantFrom("a\n", "b\n", "{\n", "}\n", "\n", "x1\n", "x2\n", "x3\n", "x4\n", "x5\n");

describe("mergeText", () => {
  it("gives what git merge-file gives", async () => {
    let disagreed = 0;
    await fc.assert(
      fc.asyncProperty(versions(REPEATED), async (texts) => {
        const [own, git] = [textOf(merge(texts)), await mergeByGit(texts)];
        // Where equal lines repeat, the two may pair them differently: then one of them sees a conflict.
        if (own === undefined || git === undefined) disagreed += own === git ? 0 : 1;
        else expect(own).toBe(git);
      }),
      { numRuns: 250, seed: 25 },
    );
    expect(disagreed).toBeLessThan(5);
  });

  it("keeps every added line of both sides and none that either took out", () => {
    let line = 0;
    const unique = fc.constant(0).map(() => `line ${line++}\n`);
    fc.assert(
      fc.property(versions(unique), (texts) => {
        const merged = textOf(merge(texts));
        if (merged === undefined) return;
        const [base, ours, theirs, made] = [texts.base, texts.ours, texts.theirs, merged].map(
          (text) => new Set(text.split("\n")),
        ) as [Set<string>, Set<string>, Set<string>, Set<string>];
        for (const side of [ours, theirs]) {
          for (const one of side) if (!base.has(one)) expect(made).toContain(one);
          for (const one of base) if (!side.has(one)) expect(made).not.toContain(one);
        }
        expect(merged).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the same whichever side is ours, and a side alone as it is", () => {
    fc.assert(
      fc.property(versions(REPEATED), ({ base, ours, theirs }) => {
        expect(textOf(merge({ base, ours: theirs, theirs: ours }))).toBe(textOf(merge({ base, ours, theirs })));
        expect(textOf(merge({ base, ours, theirs: base }))).toBe(ours);
        expect(textOf(merge({ base, ours: base, theirs }))).toBe(theirs);
        expect(textOf(merge({ base, ours, theirs: ours }))).toBe(ours);
      }),
    );
  });

  it("has every added line of both sides in its hunks or around them", () => {
    let line = 0;
    const unique = fc.constant(0).map(() => `line ${line++}\n`);
    fc.assert(
      fc.property(versions(unique), (texts) => {
        const merged = merge(texts);
        if (merged.kind !== "conflict") return;
        const whole = Buffer.from(merged.resolve(merged.hunks.map(({ ours, theirs }) => [...ours, ...theirs])));
        for (const one of `${texts.ours}${texts.theirs}`.split("\n"))
          if (!texts.base.includes(`${one}\n`)) expect(whole.toString()).toContain(`${one}\n`);
      }),
    );
  });

  it("shows a hunk with all three versions and what is around it", () => {
    const merged = merge({ base: "1\n2\n3\n4\n", ours: "0\n1\ntwo\n3\n4\n", theirs: "1\nzwei\n3\nfour\n" });
    expect(merged).toMatchObject({
      kind: "conflict",
      hunks: [
        {
          base: ["2\n"],
          ours: ["two\n"],
          theirs: ["zwei\n"],
          line: 3,
          before: ["0\n", "1\n"],
          after: ["3\n", "four\n"],
        },
      ],
    });
    if (merged.kind !== "conflict") return;
    expect(Buffer.from(merged.resolve([["both\n"]])).toString()).toBe("0\n1\nboth\n3\nfour\n");
  });

  it.each<[what: string, texts: Texts, merged: string | undefined]>([
    ["changes with a line between them", { base: "1\n2\n3\n", ours: "x\n2\n3\n", theirs: "1\n2\ny\n" }, "x\n2\ny\n"],
    ["changes that touch", { base: "1\n2\n", ours: "x\n2\n", theirs: "1\ny\n" }, undefined],
    ["the same change", { base: "1\n2\n", ours: "1\nx\n", theirs: "1\nx\n" }, "1\nx\n"],
    ["a file that both added", { base: "", ours: "1\n", theirs: "2\n" }, undefined],
    [
      "line endings that we converted",
      { base: "1\n2\n3\n", ours: "1\r\n2\r\n3\r\n", theirs: "1\n2\nx\n" },
      "1\r\n2\r\nx\r\n",
    ],
    [
      "line endings that they converted",
      { base: "1\n2\n3\n", ours: "x\n2\n3\n", theirs: "1\r\n2\r\n3\r\n" },
      "x\r\n2\r\n3\r\n",
    ],
    [
      "a byte order mark that they added",
      { base: "1\n2\n3\n", ours: "x\n2\n3\n", theirs: "\uFEFF1\n2\n3\n" },
      "\uFEFFx\n2\n3\n",
    ],
    ["a final newline that they added", { base: "1\n2\n3", ours: "x\n2\n3", theirs: "1\n2\n3\n" }, "x\n2\n3\n"],
    ["a final newline that we lack", { base: "1\n2\n3", ours: "1\n2\n3", theirs: "1\n2\n3\n4\n" }, "1\n2\n3\n4\n"],
    ["one side empty", { base: "1\n", ours: "", theirs: "1\n2\n" }, undefined],
  ])("merges %s", (_what, texts, merged) => {
    expect(textOf(merge(texts))).toBe(merged);
  });

  it("merges bytes that are not UTF-8 without loss", () => {
    const merged = merge({ base: "é\n2\n3\n", ours: "é\n2\nü\n", theirs: "ß\n2\n3\n" }, "latin1");
    expect(merged.kind === "clean" && Buffer.from(merged.content).toString("latin1")).toBe("ß\n2\nü\n");
  });

  it("does not merge binary files", () => {
    expect(merge({ base: "1\n", ours: "\0\n", theirs: "2\n" })).toEqual({ kind: "binary" });
  });

  it("gives up no long texts that differ throughout", () => {
    const long = (word: string) =>
      Array.from({ length: 30_000 }, (_, at) => `${at % 7 === 0 ? "}" : word + at}\n`).join("");
    expect(merge({ base: long("a"), ours: long("b"), theirs: long("c") }).kind).toBe("conflict");
  });
});
