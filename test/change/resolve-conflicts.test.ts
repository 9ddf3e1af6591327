import { describe, expect, it } from "@jest/globals";
import { mergeTrees } from "../../src/change/merge-trees.ts";
import { resolveConflicts, unaccounted } from "../../src/change/resolve-conflicts.ts";
import type { Side } from "../../src/change/sides.ts";
import type { TreeEntry } from "../../src/git/repository.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

type Files = Readonly<Record<string, string>>;

function sideOf(files: Files): Side {
  const all = Object.entries(files).map(([path, text]): [string, TreeEntry] => {
    return [path, { path, mode: "100644", blob: text, size: text.length }];
  });
  return { entries: new Map(all), readBlob: async (blob) => Buffer.from(blob) };
}

const BASE = "function a(x) {\n  return round(x);\n}\n";
const OURS = "function a(x) {\n  return round(x, 2);\n}\n";
const THEIRS = "function a(x) {\n  return floor(x);\n}\n";
const LEFT = ["return round(x, 2);", "return floor(x);"];

/** A resolution of the one place, with what the agents say of it. */
const answered = (lines: string, more: object = {}) => ({
  hunks: [{ id: "1", lines, left: LEFT, differed: "Two digits; floor.", kept: "Both.", why: "Both hold.", ...more }],
});

const APPROVED = { hunks: [{ id: "1", right: true }] };

async function resolve(script: FakeScript, [base, ours, theirs]: readonly [Files, Files, Files], refused?: string) {
  const { prompts, calls } = await openPrompts({ "x02-review-merge": APPROVED, ...script });
  const sides = { base: sideOf(base), ours: sideOf(ours), theirs: sideOf(theirs) };
  const { conflicts } = await mergeTrees(sides);
  const input = {
    conflicts,
    issue: sampleIssue(),
    ours: "main",
    theirs: "#7",
    change: "",
  };
  const guard = ({ path }: { path: string }) => (refused ? { path, reason: refused } : undefined);
  return { result: await resolveConflicts(input, { prompts, parser: sharedParser, guard }), calls };
}

const one = (text: string) => ({ "a.js": text });
const CONFLICT = [one(BASE), one(OURS), one(THEIRS)] as const;

describe("resolveConflicts", () => {
  it("puts the Developer's lines in place once QA agrees, and tells what was kept and why", async () => {
    const { result, calls } = await resolve({ "x01-resolve-conflicts": answered("  return floor(x, 2);") }, CONFLICT);
    if (!("files" in result)) throw new Error("it was declined");
    expect(result.files.map(({ content }) => Buffer.from(content ?? []).toString())).toEqual([
      "function a(x) {\n  return floor(x, 2);\n}\n",
    ]);
    expect(result.log).toEqual([
      { path: "a.js", line: 2, differed: "Two digits; floor.", kept: "Both.", why: "Both hold." },
    ]);
    expect(calls.map(({ promptId }) => promptId)).toEqual(["x01-resolve-conflicts", "x02-review-merge"]);
  });

  it("keeps a file's line endings and its lack of a final newline", async () => {
    const windows = (text: string) => one(text.replaceAll("\n", "\r\n").trimEnd());
    const last = [windows("a\nx\n"), windows("a\nround(x, 2)\n"), windows("a\nfloor(x)\n")] as const;
    const { result } = await resolve(
      { "x01-resolve-conflicts": answered("floor(x, 2)\n", { left: ["round(x, 2)", "floor(x)"] }) },
      last,
    );
    if (!("files" in result)) throw new Error("it was declined");
    expect(Buffer.from(result.files[0]?.content ?? []).toString()).toBe("a\r\nfloor(x, 2)");
  });

  it.each<[what: string, first: object, reply: RegExp]>([
    ["conflict markers", answered("<<<<<<< ours\n  return floor(x, 2);\n"), /conflict markers/],
    ["a line of one side dropped silently", answered("  return floor(x);\n", { left: [] }), /return round\(x, 2\);/],
    ["a file that no longer parses", answered("  return floor(x, 2;\n"), /parsed before the change/],
    ["a place without an answer", { hunks: [] }, /exactly once: 1/],
  ])("sends back %s", async (_what, first, reply) => {
    const good = answered("  return floor(x, 2);\n");
    const { result, calls } = await resolve(
      { "x01-resolve-conflicts": ({ nth }) => (nth === 1 ? first : good) },
      CONFLICT,
    );
    expect(calls[1]?.reply).toMatch(reply);
    expect(result).toHaveProperty("files");
  });

  it.each<[what: string, script: FakeScript, why: RegExp]>([
    [
      "what the Developer calls unclear",
      { "x01-resolve-conflicts": answered("", { unclear: true, why: "Who rounds?" }) },
      /Who rounds\?/,
    ],
    [
      "what QA refuses",
      {
        "x01-resolve-conflicts": answered("  return floor(x, 2);\n"),
        "x02-review-merge": { hunks: [{ id: "1", right: false, why: "floor takes one argument." }] },
      },
      /one argument/,
    ],
    ["answers that stay wrong", { "x01-resolve-conflicts": answered(">>>>>>> theirs\n") }, /no usable merge/],
  ])("leaves to people %s", async (_what, script, why) => {
    const { result } = await resolve(script, CONFLICT);
    expect(result).toEqual({ declined: [{ path: "a.js", why: expect.stringMatching(why) }] });
  });

  it("asks nobody about more than ten files, or files that are protected", async () => {
    const many = (text: string) => Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`a${at}.js`, text]));
    const large = await resolve({}, [many(BASE), many(OURS), many(THEIRS)]);
    expect(large.result).toMatchObject({
      declined: expect.arrayContaining([{ path: "a0.js", why: "too many files conflict" }]),
    });
    const refused = await resolve({}, CONFLICT, "it is protected");
    expect(refused.result).toEqual({ declined: [{ path: "a.js", why: "it is protected" }] });
    expect([...large.calls, ...refused.calls]).toEqual([]);
  });
});

describe("unaccounted", () => {
  const sides = { base: "old one\nboth\n", ours: "new ours\nboth\n", theirs: "old one\nboth\nmore\n" };

  it.each<[what: string, lines: string, left: readonly string[], lost: readonly string[]]>([
    ["everything kept", "new ours\nboth\nmore\n", [], []],
    ["an added line dropped", "new ours\nboth\n", [], ["more"]],
    ["an added line dropped and named", "new ours\nboth\n", ["  more"], []],
    ["a removed line that came back", "old one\nnew ours\nboth\nmore\n", [], ["old one"]],
    ["other indentation", "    new ours\nboth\n\tmore\n", [], []],
  ])("finds %s", (_what, lines, left, lost) => {
    expect(unaccounted(sides, { lines, left: [...left] })).toEqual(lost);
  });

  it("counts a line that stands several times", () => {
    const [base, ours, theirs] = ["- job\na\n- job\nb\n", "", "- job\na\n- job\nb\n- job\nc\n"] as const;
    expect(unaccounted({ base, ours, theirs }, { lines: "- job\nc\n", left: [] })).toEqual([]);
    expect(unaccounted({ base, ours, theirs }, { lines: "- job\na\n- job\nc\n", left: [] })).toEqual(["- job", "a"]);
    expect(unaccounted({ base: "", ours: "x\n", theirs: "x\n" }, { lines: "x\n", left: [] })).toEqual([]);
  });
});
