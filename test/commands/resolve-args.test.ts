import { describe, expect, it } from "@jest/globals";
import { RESOLVE_OPTIONS, type ResolveAnswer, type ResolveArgs, readArgs } from "../../src/commands/resolve/args.ts";
import { createProgress } from "../../src/commands/resolve/progress.ts";
import { answerJson, exitCodeOf, summary } from "../../src/commands/resolve/summary.ts";
import { runCli } from "../../src/commands/run-cli.ts";
import { chosenVariables, settingOptions } from "../../src/commands/setting-options.ts";
import type { RunResult, RunState } from "../../src/data/run-state.ts";
import { commandContext, named } from "./command-context.ts";

const PATCH = "diff --git a/a b/a\n";
const report = { id: "r", repository: "acme/shop", title: "T", requestedAt: "", record: {}, calls: [] };
const answer = (result: RunResult): ResolveAnswer => ({ result, report, patch: Buffer.from(PATCH), notes: [] });

/** What a command line asks for; undefined where it is wrong. */
async function asked(...words: string[]): Promise<ResolveArgs | undefined> {
  const read: ResolveArgs[] = [];
  const command = {
    options: RESOLVE_OPTIONS,
    run: async (input: Parameters<typeof readArgs>[0]) => {
      const args = readArgs(input);
      if ("fault" in args) return { exitCode: 2, text: args.fault } as const;
      read.push(args);
      return { exitCode: 0, text: "" } as const;
    },
  };
  const issue = { operand: { name: "ISSUE", description: "which", required: false } };
  const { exitCode, text } = await runCli(["resolve", ...words], [named("resolve", command, issue)], commandContext());
  expect({ exitCode, text }).toEqual(
    read[0] ? { exitCode: 0, text: "" } : { exitCode: 2, text: expect.stringMatching(/\S/) },
  );
  return read[0];
}

describe("magis resolve's command line", () => {
  it.each([
    ["acme/shop.js#12", {}],
    ["https://github.com/acme/shop.js/issues/12", { origin: "https://github.com" }],
    ["http://ghe.example:8080/acme/shop.js/issues/12/?a=b#issuecomment-1", { origin: "http://ghe.example:8080" }],
  ])("reads %s", async (name, more) => {
    expect((await asked(name))?.issue).toEqual({ kind: "hosted", owner: "acme", name: "shop.js", number: 12, ...more });
  });

  it("reads options, those of settings as variables", async () => {
    const choices = ["--profile", "paper", "--budget", "2.5", "--check", "npm test", "--check-minutes", "1.5"];
    expect(await asked("--repo", "../shop", "--issue", "i.md", "--own-check", ...choices)).toMatchObject({
      issue: { kind: "file", repository: "../shop", file: "i.md" },
      options: { "own-check": true },
      variables: {
        MAGIS_PROFILE: "paper",
        MAGIS_BUDGET_MONEY: "2.5",
        MAGIS_CHECK: "npm test",
        MAGIS_CHECK_MINUTES: "1.5",
      },
    });
  });

  it.each([
    [["a/b#1", "--check", "a\nb"]],
    [["a/b#1", "--check-minutes", "241"]],
    [[]],
    [["acme/shop"]],
    [["https://github.com/acme/shop/pull/12"]],
    [["ftp://github.com/acme/shop/issues/12"]],
    [["a/b#1", "--repo", "."]],
    [["--issue", "i.md"]],
    [["--repo", ".", "--issue", "i.md", "--open-pr"]],
    [["a/b#1", "--plan", "--open-pr"]],
    [["a/b#1", "--plan", "--output", "p"]],
  ])("%j is wrong usage", async (words) => {
    expect(await asked(...words)).toBeUndefined();
  });
});

describe("how magis resolve reports the end", () => {
  const link = { number: 3, url: "https://host.example/pull/3" };
  const ends: [number, RunResult][] = [
    [0, { kind: "published", pullRequest: link, openThreads: 0 }],
    [0, { kind: "dry-run", made: "plan", openComments: 0 }],
    [1, { kind: "failed", code: "X", message: "It failed." }],
    [1, { kind: "refused", reason: "Closed." }],
    [3, { kind: "nothing-to-change", reason: "It is right." }],
    [3, { kind: "gave-up", reason: "Too hard." }],
    [4, { kind: "budget-reached", limit: "money", phase: "code", patch: PATCH, finished: [], unfinished: ["b"] }],
    [130, { kind: "cancelled", by: "you", undone: [] }],
  ];
  it.each(ends)("with %d for %j", (exitCode, result) => {
    expect(exitCodeOf(answer(result))).toBe(exitCode);
    expect(summary(answer(result))).toMatch(/Cost: 0 calls/);
    expect(JSON.parse(answerJson(answer(result)))).toMatchObject({
      kind: result.kind,
      exitCode,
      id: "r",
      patch: PATCH,
    });
  });
});

describe("createProgress", () => {
  it("says each change once, without what could control a terminal", () => {
    const lines: string[] = [];
    const { signal } = new AbortController();
    const { state, call, asking } = createProgress({ progress: (line) => lines.push(line), signal });
    const spend = { calls: 0, tokens: 0, money: 0, elapsed: 0 };
    const task = { id: "t1", path: "a.js", title: "Do\u001b[2J it\nnow" };
    const at = (status: "working" | "done", of: "working" | "approved"): RunState => ({
      phases: [{ name: "code", status, detail: "1 approved" }],
      tasks: [{ ...task, status: of }],
      spend,
      resumed: 0,
    });
    state(at("working", "working"));
    state(at("working", "working"));
    const places = [
      { path: "a\u001b[2J.js", start: 1, end: 9 },
      { path: "b.js", symbol: "Store.load" },
    ];
    const read = { id: "1", name: "read", input: { places } };
    asking("Developer")([read, { id: "2", name: "search", input: { pattern: "x\n", path: "src" } }]);
    asking("Developer")([]);
    call({ key: "k", promptId: "p09-change-file", tier: "strong", tokens: 1, money: 0.25, elapsed: 1500 });
    state(at("done", "approved"));
    expect(lines).toEqual([
      "code …",
      "  t1 a.js: Do it now",
      "  t1 is being worked on",
      '    Developer looks up: read a.js:1-9, b.js:Store.load; search "x\\n" in src',
      "    call 1: p09-change-file, 1.5 s, $0.25 so far",
      "code: 1 approved",
      "  t1 approved by QA",
    ]);
  });

  it("draws one live line that moves by itself, and says the calls there", async () => {
    const [lines, drawn]: [string[], string[]] = [[], []];
    const cancel = new AbortController();
    const progress = createProgress({
      progress: (line) => lines.push(line),
      signal: cancel.signal,
      live: (line) => void drawn.push(line),
    });
    expect(drawn.at(-1)).toMatch(/^\S 0:00 {2}\$0\.00 {2}opening the repository$/);
    const spend = { calls: 0, tokens: 0, money: 0, elapsed: 0 };
    progress.state({ phases: [{ name: "plan", status: "working" }], tasks: [], spend, resumed: 0 });
    const answered = progress.asking("Manager");
    expect(drawn.at(-1)).toMatch(/plan · Manager$/);
    answered([{ id: "1", name: "read", input: { places: [{ symbol: "greet\u001b[2J\n" }] } }]);
    const [first, second] = [progress.asking("Manager"), progress.asking("Manager")];
    expect(drawn.at(-1)).toMatch(/plan · Manager \(2\), looked up read greet ?$/);
    first([]);
    const other = progress.asking("QA Engineer");
    expect(drawn.at(-1)).toMatch(/plan · QA Engineer · Manager$/);
    const frames = drawn.length;
    while (drawn.length < frames + 5) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(new Set(drawn.slice(frames)).size).toBeGreaterThan(1);
    progress.call({ key: "k", promptId: "p04-plan-work", tier: "strong", tokens: 1, money: 0.25, elapsed: 1500 });
    expect(drawn.at(-1)).toContain("$0.25");
    expect(lines).toEqual(["plan …"]);
    cancel.abort();
    expect(drawn.at(-1)).toContain("cancelling");
    for (const end of [second, other]) end([]);
    progress.stop();
    expect(drawn.at(-1)).toBe("");
    expect(lines.at(-1)).toMatch(/^Cancelling: /);
  });
});

const find = (name: string) => settingOptions().find((option) => option.name === name);

describe("settingOptions", () => {
  it("describes an option for each setting that the command line can choose", () => {
    expect(settingOptions().map(({ name }) => name)).toEqual(
      expect.arrayContaining(["budget", "check-memory", "fast-model", "model", "profile"]),
    );
    expect(find("check-minutes")).toMatchObject({
      argument: "MINUTES",
      description: "minutes that one run of the check may take (default: 10)",
    });
    expect(find("budget")?.description).toBe("US dollars one run may cost (default: 5)");
    const renamed: readonly string[] = settingOptions({ budget: "instance-budget" }).map(({ name }) => name);
    expect(renamed).toContain("instance-budget");
    expect(renamed).not.toContain("budget");
  });

  it.each([
    ["check-memory", "63", "must be a whole number from 64 to 1048576"],
    ["budget", "cheap", "must be a number of US dollars above 0 and not above 10000"],
    ["profile", "fat", "must be one of lean, paper"],
    ["model", "", "must be the name of a model, one word"],
  ])("checks --%s %s as the setting is checked anywhere else", (name, text, rule) => {
    expect(
      find(name)
        ?.shape.safeParse(text)
        .error?.issues.map(({ message }) => message),
    ).toEqual([rule]);
  });

  it("returns the choices as texts of variables", () => {
    const names = { budget: "instance-budget" } as const;
    const given = { "instance-budget": "2.5", budget: 50, "check-minutes": "2", plan: true };
    expect(chosenVariables(given, names)).toEqual({ MAGIS_BUDGET_MONEY: "2.5", MAGIS_CHECK_MINUTES: "2" });
    expect(find("check-minutes")?.shape.parse("2")).toBe("2");
  });
});
