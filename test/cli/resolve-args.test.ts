import { describe, expect, it } from "@jest/globals";
import type { ResolveAnswer, ResolveArgs } from "../../src/cli/resolve/args.ts";
import { createProgress } from "../../src/cli/resolve/progress.ts";
import { createResolveCommand } from "../../src/cli/resolve/resolve-command.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { MagisError } from "../../src/model/error.ts";
import type { RunResult, RunState } from "../../src/model/run-state.ts";

const PATCH = "diff --git a/a b/a\n";
const report = { id: "r", repository: "acme/shop", title: "T", requestedAt: "", record: {}, calls: [] };
const answer = (result: RunResult): ResolveAnswer => ({ result, report, patch: Buffer.from(PATCH), notes: [] });

function cli(result: RunResult | Error = { kind: "dry-run", made: "patch", openComments: 0 }) {
  const given: ResolveArgs[] = [];
  const files = new Map<string, string>();
  const lines: string[] = [];
  const kept: string[] = [];
  const command = createResolveCommand(async () => ({
    async resolve(args) {
      given.push(args);
      if (result instanceof Error) throw result;
      return answer(result);
    },
    checkFile: async () => undefined,
    keepRun: async ({ id }) => void kept.push(id),
    write: async (file, content) => void files.set(file, Buffer.from(content).toString("utf8")),
    readInput: async () => "It is wrong\n",
    openReport: async ({ id }) => `Opened ${id}.`,
  }));
  const context = { version: "1", signal: new AbortController().signal, progress: (line: string) => lines.push(line) };
  return { given, files, lines, kept, run: (...words: string[]) => runCli(["resolve", ...words], [command], context) };
}

describe("magis resolve's command line", () => {
  it.each([
    ["acme/shop.js#12", {}],
    ["https://github.com/acme/shop.js/issues/12", { origin: "https://github.com" }],
    ["http://ghe.example:8080/acme/shop.js/issues/12/?a=b#issuecomment-1", { origin: "http://ghe.example:8080" }],
  ])("reads %s", async (name, more) => {
    const { run, given } = cli();
    expect(await run(name)).toMatchObject({ exitCode: 0, text: "" });
    expect(given[0]?.issue).toEqual({ kind: "hosted", owner: "acme", name: "shop.js", number: 12, ...more });
  });

  it("reads every option", async () => {
    const { run, given } = cli();
    const choices = ["--profile", "paper", "--budget", "2.5"];
    const models = ["--model", "m-1", "--fast-model", "m-2"];
    await run("--repo", "../shop", "--issue", "i.md", "--base", "v1", "--hint", "Mind it", ...choices, ...models);
    expect(given).toEqual([
      {
        issue: { kind: "file", repository: "../shop", file: "i.md" },
        base: "v1",
        hint: "Mind it",
        until: "patch",
        check: { runs: "the person's", unproven: "ask or stop" },
        outputs: { prints: "patch", open: false, keep: true },
        variables: {
          MAGIS_PROFILE: "paper",
          MAGIS_BUDGET_MONEY: "2.5",
          MAGIS_MODEL_STRONG: "m-1",
          MAGIS_MODEL_FAST: "m-2",
        },
      },
    ]);
  });

  it("reads the issue from standard input where - is its file, and nothing else of it", async () => {
    const { run, given } = cli();
    await run("--repo", ".", "--issue", "-");
    await run("--repo", ".", "--issue", "./-");
    expect(given.map(({ issue }) => issue)).toEqual([
      { kind: "file", repository: ".", file: "-", text: "It is wrong\n" },
      { kind: "file", repository: ".", file: "./-" },
    ]);
    expect(await run("--issue", "-")).toMatchObject({ exitCode: 2 });
  });

  it("opens the page of the run's record on request", async () => {
    const { run, lines } = cli();
    await run("a/b#1");
    expect(lines.join("\n")).not.toContain("Opened");
    await run("a/b#1", "--open");
    expect(lines.join("\n")).toContain("Opened r.");
  });

  it("reads how the change is checked", async () => {
    const { run, given } = cli();
    const check = ["--check", "npm test", "--check-sandbox", "required", "--check-minutes", "1.5"];
    await run("acme/shop#1", ...check, "--own-check", "--check-beside", "../shop");
    expect(given).toMatchObject([
      {
        check: { runs: "also the repository's", beside: "../shop" },
        variables: {
          MAGIS_CHECK: "npm test",
          MAGIS_CHECK_SANDBOX: "required",
          MAGIS_CHECK_MINUTES: "1.5",
        },
      },
    ]);
  });

  it.each([
    [["a/b#1", "--check", ""]],
    [["a/b#1", "--check", "a\nb"]],
    [["a/b#1", "--check-sandbox", "maybe"]],
    [["a/b#1", "--check-minutes", "241"]],
    [[]],
    [["acme/shop"]],
    [["acme/shop#0"]],
    [["https://github.com/acme/shop/pull/12"]],
    [["ftp://github.com/acme/shop/issues/12"]],
    [["a/b#1", "a/b#2"]],
    [["a/b#1", "--repo", "."]],
    [["--repo", "."]],
    [["--issue", "i.md"]],
    [["--repo", ".", "--issue", "i.md", "--open-pr"]],
    [["a/b#1", "--plan", "--open-pr"]],
    [["a/b#1", "--plan", "--output", "p"]],
    [["a/b#1", "--budget", "0"]],
    [["a/b#1", "--budget", "cheap"]],
    [["a/b#1", "--profile", "fat"]],
    [["a/b#1", "--base", ""]],
    [["a/b#1", "--nothing"]],
  ])("%j is wrong usage", async (words) => {
    const { run, given } = cli();
    expect(await run(...words)).toEqual({ exitCode: 2, text: expect.stringMatching(/\S/) });
    expect(given).toEqual([]);
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
  it.each(ends)("with %d for %j", async (exitCode, result) => {
    const { run, lines } = cli(result);
    expect(await run("a/b#1")).toMatchObject({ exitCode, text: "" });
    expect(lines.join("\n")).toMatch(/Cost: 0 calls/);
    const { output } = await cli(result).run("a/b#1", "--json");
    expect(JSON.parse(String(output))).toMatchObject({ kind: result.kind, exitCode, id: "r", patch: PATCH });
  });

  it("prints the patch, or writes it to the given file", async () => {
    expect(Buffer.from((await cli().run("a/b#1")).output ?? "").toString()).toBe(PATCH);
    const { run, files } = cli();
    const { output } = await run("a/b#1", "--output", "p.patch", "--record", "r.json");
    expect(output).toBeUndefined();
    expect(files.get("p.patch")).toBe(PATCH);
    expect(JSON.parse(files.get("r.json") ?? "")).toEqual(report);
  });

  it("also tells programs why it could not begin", async () => {
    const { run } = cli(new MagisError("HOST_NOT_FOUND", "It is not there."));
    const { exitCode, text, output } = await run("a/b#1", "--json");
    expect({ exitCode, text }).toEqual({ exitCode: 1, text: "It is not there." });
    expect(JSON.parse(String(output))).toMatchObject({ kind: "failed", code: "HOST_NOT_FOUND", exitCode: 1 });
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
    answered([{ id: "1", name: "find_symbol", input: { name: "greet\u001b[2J\n" } }]);
    const [first, second] = [progress.asking("Manager"), progress.asking("Manager")];
    expect(drawn.at(-1)).toMatch(/plan · Manager \(2\), looked up find symbol greet ?$/);
    first([]);
    const other = progress.asking("QA Engineer");
    expect(drawn.at(-1)).toMatch(/plan · QA Engineer · Manager$/);
    const frames = drawn.length;
    while (drawn.length < frames + 5) await new Promise((resolve) => setImmediate(resolve));
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
