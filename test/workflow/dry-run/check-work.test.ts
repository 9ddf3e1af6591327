import { describe, expect, it } from "@jest/globals";
import { createEvolutionMemory, createRunStore } from "../../../src/app/in-memory.ts";
import { createCommandVerifier } from "../../../src/checks/local/command-verifier.ts";
import { exitCodeOf, summary } from "../../../src/commands/resolve/summary.ts";
import { readRecord } from "../../../src/data/read-record.ts";
import type { Repository } from "../../../src/git/repository.ts";
import { checkSentence } from "../../../src/report/end-of-run.ts";
import type { Verifier } from "../../../src/run/verifier.ts";
import { TokenCache } from "../../../src/search/token-cache.ts";
import type { LocalCheck } from "../../../src/workflow/dry-run/check-work.ts";
import { resolveLocally } from "../../../src/workflow/dry-run/dry-run.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import type { FakeCall } from "../../fakes/create-fake-model.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleSettings } from "../../fakes/sample-settings.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";

const HEAD =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../sum.js";\n';
const PROJECT = {
  "package.json": '{ "type": "module" }\n',
  "sum.js": "export const sum = (a, b) => a - b;\n",
  "test/old.test.js": `${HEAD}test("adds nothing", () => assert.equal(sum(0, 0), 0));\n`,
};
const BUDGET = { money: 10, tokens: 1_000_000, minutes: 60 };

const task = (path: string, action: string) => ({
  path,
  action,
  title: "Add",
  description: "Add them.",
  places: [],
  edits: [],
  summary: "",
  developer: { title: "Developer", description: "Knows it." },
});

const isSentBack = ({ text }: FakeCall) => text.includes("was run on the change as it stands");

/** A dry run checked by a real command; its Developer writes each of `sums` in turn, and `line` as a new test. */
async function checking(
  sums: readonly string[],
  {
    line = 'test("adds two", () => assert.equal(sum(1, 2), 3));',
    rounds = 2,
    command = "node --test",
    files = {},
    unproven = "go on" as "go on" | "stop" | "yes" | "no",
  } = {},
) {
  const { base, openRepository } = createFakeHost({ ...PROJECT, ...files });
  let written = 0;
  const qaEngineer = { title: "QA Engineer", description: "Looks." };
  const { model, library, of, asked } = await openPrompts({
    "p04-plan-work": {
      fails: true,
      at: { path: "sum.js", line: 1 },
      questions: [],
      notes: [],
      reason: "It subtracts.",
      order: 'run("t1");\nrun("t2");',
      agreed: "",
      title: "fix: add",
      tasks: [task("sum.js", "modify"), task("test/new.test.js", "create")],
    },
    "p09-change-file": (call) => {
      const isTest = call.text.includes("# The file `test/new.test.js`");
      const text = isTest ? `${HEAD}${line}` : (sums[Math.min(written++, sums.length - 1)] ?? "");
      const edits = [{ start: 1, end: isTest ? 0 : 1, anchor: "", text }];
      return { edits, summary: "Adds.", replies: [], qaEngineer };
    },
  });
  const memory = createEvolutionMemory(100);
  const { store } = createRunStore();
  const { signal } = new AbortController();
  let verifier: Verifier | undefined;
  const open = (repository: Repository) => {
    verifier ??= createCommandVerifier({
      command,
      repository,
      sandbox: undefined,
      environment: process.env,
      limits: { minutes: 2, memoryMb: 2048 },
    });
    return verifier;
  };
  const watched: string[] = [];
  const check: LocalCheck = {
    command,
    rounds,
    signal,
    open,
    watch: (on) => (ended) => void watched.push(`${on}: ${ended?.state}${ended?.asWanted ? ", as wanted" : ""}`),
    unproven:
      unproven === "yes" || unproven === "no"
        ? async (question) => {
            expect(asked()).toEqual([]);
            watched.push(question);
            return unproven === "yes";
          }
        : unproven,
  };
  const outcome = await resolveLocally(
    {
      id: "shop@1",
      repository: { owner: "local", name: "shop", installationId: 0 },
      name: "../shop",
      issue: sampleIssue({ number: 0 }),
      requestedAt: "2026-01-01T12:00:00Z",
      files: ["sum.js"],
      through: "code",
      source: { url: "/shop", commit: base.commit },
      check: () => check,
    },
    {
      model,
      prompts: library,
      log: createFakeLog().log,
      budget: BUDGET,
      parser: sharedParser,
      store,
      memory,
      tokenCache: () => new TokenCache(),
      settings: sampleSettings(),
      openRepository: async () => openRepository(),
      limits: { models: ["f", "s"], budget: BUDGET, defaults: {} },
    },
    signal,
  );
  const { check: kept } = readRecord(outcome.report.record);
  const back = of("p09-change-file").filter(isSentBack);
  return { outcome, check: kept, back, asked, of, watched, said: kept ? checkSentence(kept) : "" };
}

const line = (expression: string) => `export const sum = (a, b) => ${expression};`;

describe("a check on the person's own machine", () => {
  it("passes on the base, fails with the tests alone and passes with the whole change", async () => {
    const { outcome, check, back, said, watched } = await checking([line("a + b")]);
    expect(watched).toEqual(["base: green", "red: red, as wanted", "green: green"]);
    expect(outcome.result).toEqual({ kind: "dry-run", made: "patch", openComments: 0, check: "green" });
    expect(check).toMatchObject({ base: "green", tests: "right-red", end: "green", rounds: 0, words: "" });
    expect(back).toEqual([]);
    expect(said).toBe("check `node --test` passes; the new tests fail without the rest of the change, as they should");
    expect(exitCodeOf(outcome)).toBe(0);
  });

  it("sends its output back until it passes, has the change reviewed again, and keeps the first failure", async () => {
    const { outcome, check, back, asked, of } = await checking([line("a * b"), line("a + b")]);
    expect(back).toHaveLength(1);
    expect(back[0]?.text).toContain("adds two");
    expect(back[0]?.text).toContain("a * b");
    expect(asked().filter((id) => id === "p11-review-work")).toHaveLength(2);
    // What the Manager saw is from before the first change.
    const isPlanned = ({ text }: FakeCall) => text.includes("The files above are as they were when it was planned.");
    expect(of("p11-review-work").map(isPlanned)).toEqual([true, false]);
    expect(summary({ ...outcome, description: undefined, notes: [] })).toMatch(
      /Tasks:[\s\S]*t3 modify sum\.js: Make the check pass\n {5}approved/,
    );
    expect(check).toMatchObject({ end: "green", rounds: 1, first: expect.stringContaining("adds two") });
    expect(Buffer.from(outcome.patch).toString()).toContain("+export const sum = (a, b) => a + b;");
    expect(exitCodeOf(outcome)).toBe(0);
  });

  it("ends red after its last round, with exit code 5", async () => {
    const { outcome, check, back } = await checking([line("a * b")], { rounds: 1 });
    expect(back.length).toBeLessThanOrEqual(2);
    expect(check).toMatchObject({ end: "red", rounds: 1 });
    expect(outcome.result).toMatchObject({ kind: "dry-run", check: "red" });
    expect(exitCodeOf(outcome)).toBe(5);
  });

  const broken = { "test/odd.test.js": `${HEAD}test("is odd", () => assert.equal(1, 2));\n` };

  it.each([
    ["stop", /`node --test` fails on the commit as it is.*--check-anyway\.$/, []],
    ["no", /^Stopped, since the check would prove nothing/, [expect.stringMatching(/Go on without a proof\?$/)]],
  ] as const)(
    "stops the run before it costs anything when it fails without the change too (%s)",
    async (unproven, reason, said) => {
      const { outcome, check, asked, watched } = await checking([line("a + b")], { files: broken, unproven });
      expect(outcome.result).toEqual({ kind: "refused", reason: expect.stringMatching(reason) });
      expect(watched).toEqual(["base: red", ...said]);
      expect(asked()).toEqual([]);
      expect(outcome.report.state?.spend.money).toBe(0);
      expect(check).toMatchObject({ base: "red", end: "unknown" });
      expect(exitCodeOf(outcome)).toBe(6);
    },
  );

  it.each([
    ["go on", 1],
    ["yes", 2],
  ] as const)(
    "goes on without a proof or a fault when it fails without the change too (%s)",
    async (unproven, count) => {
      const { outcome, back, said, watched } = await checking([line("a + b")], { files: broken, unproven });
      expect(back).toEqual([]);
      expect(watched).toHaveLength(count);
      expect(said).toContain("fails without the change too, so it says nothing about it");
      expect(outcome.result).toMatchObject({ kind: "dry-run", made: "patch", check: "unknown" });
      expect(exitCodeOf(outcome)).toBe(6);
    },
  );

  it("says when the new test passes without the change", async () => {
    const { check, said } = await checking([line("a + b")], { line: 'test("is three", () => assert.equal(3, 3));' });
    expect(check).toMatchObject({ tests: "not-red", end: "green" });
    expect(said).toContain("they show nothing");
  });
});
