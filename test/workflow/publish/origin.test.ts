import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/model/error.ts";
import type { BlamedCommit, BlameReads } from "../../../src/ports/blame.ts";
import { findOrigin, originSentence } from "../../../src/workflow/publish/origin.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");

const DAY = 86_400_000;

const commit = (changes: Partial<BlamedCommit> & { readonly days?: number } = {}): BlamedCommit => {
  const { days = 12, ...rest } = changes;
  const date = new Date(NOW - days * DAY).toISOString();
  return { id: "a".repeat(40), title: "Keep the limit (#412)", date, author: "ana", first: false, ...rest };
};

const BEFORE = "export function limit(n) {\n  const most = n + 1;\n  return most;\n}\n";

const AFTER = BEFORE.replace("n + 1", "n");

const file = (path = "src/limit.js", after = AFTER) => ({
  path,
  before: Buffer.from(BEFORE),
  after: Buffer.from(after),
});

const DIFF =
  "diff --git a/src/limit.js b/src/limit.js\n--- a/src/limit.js\n+++ b/src/limit.js\n@@ -2 +2 @@\n-  return n;\n+  const most = n + 1;\n+  return most;\n";

interface Scene {
  readonly files?: readonly ReturnType<typeof file>[];
  /** by line; the last for all that follow */
  readonly commits?: readonly BlamedCommit[];
  readonly diff?: string | undefined;
  readonly suggest?: boolean;
}

async function said({ files = [file()], commits = [commit()], suggest = false, ...scene }: Scene = {}) {
  const asked: string[] = [];
  const diff = "diff" in scene ? scene.diff : DIFF;
  const host: BlameReads = {
    async blame(_commit, paths) {
      asked.push(...paths);
      const ranges = commits.map((one, at) => ({
        start: at + 1,
        end: at === commits.length - 1 ? 99 : at + 1,
        commit: one,
      }));
      return paths.map((path) => ({ path, ranges }));
    },
    async diffOf(id) {
      asked.push(id);
      return diff;
    },
  };
  const origin = await findOrigin(files, "b".repeat(40), { now: NOW, host });
  return { asked, text: origin && originSentence(origin, { now: NOW, suggest }) };
}

describe("where the changed lines come from", () => {
  it.each<[string, Scene, string | undefined]>([
    ["one young commit whose diff has the lines", {}, "Introduced by #412 (12 days ago)."],
    [
      "one without a pull request in its title",
      { commits: [commit({ title: "Keep the limit", days: 1 })] },
      "Introduced by aaaaaaaaaa (a day ago).",
    ],
    [
      "the reviewer, where that is wanted",
      { suggest: true },
      "Introduced by #412 (12 days ago). Its author `ana` could review this.",
    ],
    ["one of today", { commits: [commit({ days: 0 })] }, "Introduced by #412 (today)."],
    ["a commit of 90 days", { commits: [commit({ days: 90 })] }, "Introduced by #412 (90 days ago)."],
    [
      "an older commit",
      { commits: [commit({ days: 91 })] },
      "The changed lines were last changed in #412 (91 days ago).",
    ],
    ["a very old one", { commits: [commit({ days: 400 })] }, undefined],
    [
      "lines of several commits",
      { commits: [commit(), commit({ id: "c".repeat(40) })], files: [twoLines()] },
      undefined,
    ],
    ["the first commit of all", { commits: [commit({ first: true })] }, undefined],
    [
      "a commit of many files",
      { commits: [commit({ files: 21 })] },
      "The changed lines were last changed in #412 (12 days ago).",
    ],
    ["a diff of many files", { diff: DIFF.repeat(21) }, "The changed lines were last changed in #412 (12 days ago)."],
    [
      "a commit that moved the lines",
      { diff: `${DIFF}-    const most = n + 1;\n` },
      "The changed lines were last changed in #412 (12 days ago).",
    ],
    [
      "a commit that only changed the line",
      { diff: `${DIFF}-  const most = n + 2;\n` },
      "The changed lines were last changed in #412 (12 days ago).",
    ],
    [
      "a diff without the lines",
      { diff: "diff --git a/b b/b\n+  const least = 1;\n" },
      "The changed lines were last changed in #412 (12 days ago).",
    ],
    ["no diff", { diff: undefined }, "The changed lines were last changed in #412 (12 days ago)."],
    ["a fix that only adds lines", { files: [file("src/limit.js", `${BEFORE}more();\n`)] }, undefined],
    ["a fix of a test", { files: [file("test/limit.test.js")] }, undefined],
    ["a fix of a document", { files: [file("docs/limit.md")] }, undefined],
    ["a fix of braces", { files: [file("src/limit.js", BEFORE.replace("}\n", "};\n"))] }, undefined],
    ["a fix of many files", { files: ["a", "b", "c", "d", "e"].map((name) => file(`src/${name}.js`)) }, undefined],
  ])("says of %s: %j", async (_name, scene, expected) => {
    expect((await said(scene)).text).toBe(expected);
  });

  it.each([
    "Refactor limits",
    "style: run prettier",
    "Move limits to a file",
    "Rename n",
    "Fix warnings",
    "Initial commit",
  ])('says no more than "last changed" of "%s"', async (title) => {
    const { text, asked } = await said({ commits: [commit({ title })] });
    expect(text).toContain("last changed in aaaaaaaaaa");
    expect(asked).toEqual(["src/limit.js"]);
  });

  it("is left out where nobody can tell", async () => {
    const away = { blame: async () => undefined, diffOf: async () => undefined };
    expect(await findOrigin([file()], "b", { now: NOW, host: away })).toBeUndefined();
    const refusing = { ...away, blame: () => Promise.reject(new MagisError("HOST_REFUSED", "Not here.")) };
    expect(await findOrigin([file()], "b", { now: NOW, host: refusing })).toBeUndefined();
    const cancelled = { ...away, blame: () => Promise.reject(new MagisError("RUN_CANCELLED", "Stop.")) };
    await expect(findOrigin([file()], "b", { now: NOW, host: cancelled })).rejects.toMatchObject({
      code: "RUN_CANCELLED",
    });
  });
});

function twoLines() {
  const after = BEFORE.replace("n + 1", "n").replace("function limit", "function limits");
  return { path: "src/limit.js", before: Buffer.from(BEFORE), after: Buffer.from(after) };
}
