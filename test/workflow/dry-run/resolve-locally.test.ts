import { describe, expect, it } from "@jest/globals";
import { createEvolutionMemory, createRunStore } from "../../../src/app/in-memory.ts";
import { MagisError } from "../../../src/data/error.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import { TokenCache } from "../../../src/search/token-cache.ts";
import { resolveLocally } from "../../../src/workflow/dry-run/dry-run.ts";
import type { LocalJob } from "../../../src/workflow/dry-run/job.ts";
import { createFakeHost, type FakeFiles } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleSettings } from "../../fakes/sample-settings.ts";
import { sharedParser } from "../../fakes/shared-parser.ts";

const BUDGET = { money: 10, tokens: 1_000_000, minutes: 60 };
const FILES = { "src/a.txt": "discounts\ntwo\n", "src/b.txt": "nothing\n" };

/** A local run on fakes, with the real tools, store and memory. */
async function running(script: FakeScript = {}, files: FakeFiles = FILES) {
  const { base, openRepository, state } = createFakeHost(files);
  const { model, library, asked, calls } = await openPrompts(script);
  const { log, lines } = createFakeLog();
  const defaults = { label: "magis", draft: true, models: { fast: "f", strong: "s" }, effort: {} };
  const controller = new AbortController();
  const opened: string[] = [];
  async function run(changes: Partial<LocalJob> = {}) {
    const job: LocalJob = {
      id: "shop@1",
      repository: { owner: "local", name: "shop", installationId: 0 },
      name: "../shop",
      issue: sampleIssue({ number: 0 }),
      requestedAt: "2026-01-01T12:00:00Z",
      source: { url: "/shop", commit: base.commit },
      ...changes,
    };
    const deps = {
      model,
      prompts: library,
      log,
      budget: BUDGET,
      parser: sharedParser,
      store: createRunStore().store,
      memory: createEvolutionMemory(100),
      tokenCache: () => new TokenCache(),
      settings: sampleSettings(),
      limits: {
        models: ["f", "s"],
        budget: BUDGET,
        defaults: { ...defaults, allowedBots: [] },
      },
      openRepository: async ({ commit }: { commit: string }) => {
        opened.push(commit);
        return openRepository();
      },
    };
    return resolveLocally(job, deps, controller.signal);
  }
  return { run, asked, calls, lines, opened, state, controller, base };
}

const patchOf = ({ patch }: { patch: Uint8Array }) => Buffer.from(patch).toString("utf8");

describe("resolveLocally", () => {
  it("makes a patch, its description and a report, and writes nothing to the host", async () => {
    const { run, state, opened, base } = await running();
    const outcome = await run();
    expect(outcome.result).toEqual({ kind: "dry-run", made: "patch", openComments: 0 });
    expect(patchOf(outcome)).toContain("+++ b/src/a.txt");
    expect(outcome.description).toMatchObject({ type: "fix", title: "do what the issue asks for" });
    expect(outcome.report).toMatchObject({ id: "shop@1", repository: "../shop", state: { result: outcome.result } });
    expect(outcome.report.number).toBeUndefined();
    expect(Object.keys(outcome.report.record)).toEqual(expect.arrayContaining(["start", "candidates", "plan", "work"]));
    expect(outcome.report.calls.length).toBe(outcome.report.state?.spend.calls);
    expect(opened).toEqual([base.commit]);
    expect([state.comments, state.pullRequests]).toEqual([[], []]);
  });

  it("stops at the given phase", async () => {
    const planned = await (await running()).run({ through: "plan" });
    expect(planned).toMatchObject({ result: { kind: "dry-run", made: "plan" }, outcomes: [], patch: new Uint8Array() });
    const { run, asked } = await running();
    const coded = await run({ through: "code" });
    expect(coded.description).toBeUndefined();
    expect(coded.outcomes.length).toBeGreaterThan(0);
    expect(asked()).not.toContain("d01-describe-change");
  });

  it("uses the given files instead of searching", async () => {
    const { run, asked } = await running();
    const { plan, report } = await run({ files: ["src/b.txt", "src/none.txt", "src/b.txt"] });
    expect(plan?.tasks.map(({ path }) => path)).toEqual(["src/b.txt"]);
    expect(asked().some((prompt) => prompt.startsWith("c0"))).toBe(false);
    expect(report.record.candidates).toMatchObject({ judged: [{ path: "src/b.txt", relevant: true }] });
  });

  it("obeys the repository's configuration, and the run's own settings above it", async () => {
    const config = "draft: true\ninstructions: Write for sailors.\nprotect:\n  - src/a.txt\n";
    const { run, calls } = await running({}, { ...FILES, ".github/magis.yml": config });
    const { plan } = await run({ files: ["src/a.txt", "src/b.txt"] });
    expect(plan?.tasks.map(({ path }) => path)).not.toContain("src/a.txt");
    expect(calls.some(({ request, text }) => `${request.system}${text}`.includes("Write for sailors."))).toBe(true);
    const limited = await (await running({}, { ...FILES, ".github/magis.yml": "budget:\n  money: 90\n" })).run({
      chosen: { budget: { money: 10, tokens: 1 } },
    });
    expect(limited.result).toMatchObject({ kind: "budget-reached", limit: "tokens" });
  });

  it("takes settings that are known already, and not the commit's", async () => {
    const { run } = await running({}, { ...FILES, ".github/magis.yml": "protect: [src/a.txt]\n" });
    const { plan } = await run({ settings: { ...DEFAULT_SETTINGS, only: ["src/a.txt"] } });
    expect(plan?.tasks.map(({ path }) => path)).toEqual(["src/a.txt"]);
  });

  it("obeys the policy on AI, the owner's too, for a change that will be published", async () => {
    const quote = "No AI bots: a pull request needs a human author.";
    const script = { "c01-judge-policy": { answer: "no-bots", passage: 1, quote } };
    const ownerReads = { readFile: async () => quote, listFolder: async () => ["CONTRIBUTING.md"] };
    const { run, asked } = await running(script);
    const { result } = await run({ publishing: { anyway: false }, ownerReads });
    expect(result).toMatchObject({ kind: "refused", reason: expect.stringContaining(quote) });
    expect(asked()).toEqual(["c01-judge-policy"]);
    const anyway = await (await running(script)).run({ publishing: { anyway: true }, ownerReads });
    expect(anyway).toMatchObject({ result: { kind: "dry-run" }, plan: { policy: { asks: "no-bots", quote } } });
    expect((await (await running(script)).run({ ownerReads })).result.kind).toBe("dry-run");
  });

  it("refuses to begin with a faulty configuration, and reports each fault", async () => {
    const { run, asked } = await running({}, { ...FILES, ".github/magis.yml": "draft: none\ncolour: red\n" });
    const { result } = await run();
    expect(result).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/magis\.yml:1: .+\n.+:2: .*colour/),
    });
    expect(asked()).toEqual([]);
  });

  it.each<[string, FakeFiles, string]>([
    ["in UTF-16", { ".github/magis.yml": Buffer.from("\ufeffdraft: true", "utf16le") }, "not encoded in UTF-8"],
    ["in Latin-1", { ".github/magis.yml": Buffer.from("language: fran\xe7ais", "latin1") }, "not encoded in UTF-8"],
    ["of NUL", { ".github/magis.yml": "d\0r\0" }, "not encoded in UTF-8"],
    ["above 64 KiB", { ".github/magis.yml": `# ${"x".repeat(1_100_000)}` }, "larger than 64 KiB"],
    ["a link", { ".github/magis.yml": { mode: "120000", text: "../m.yml" } }, "is a link"],
    ["a folder", { ".github/magis.yml/x": "a" }, "cannot be read"],
    ["below a link", { ".github": { mode: "120000", text: "meta" } }, "is no folder"],
    ["in another case", { ".github/MAGIS.yml": "draft: true" }, "rename this file"],
  ])("refuses to begin when the settings cannot be read: %s", async (_what, files, said) => {
    const { run, asked } = await running({}, { ...FILES, ...files });
    const { result } = await run();
    expect(result).toMatchObject({ kind: "refused", reason: expect.stringContaining(said) });
    expect(asked()).toEqual([]);
  });

  it.each<[string, FakeFiles, string]>([
    ["no file", {}, "the commit holds no files"],
    ["only binary files", { "a.png": "x", "b.txt": "a\0b" }, "as binary (2)"],
    [
      "links and lock files",
      { a: { mode: "120000", text: "b" }, "yarn.lock": "x" },
      "symbolic links (1), lock files (1)",
    ],
    [
      "ignored files alone",
      { "src/a.txt": "x", ".github/magis.yml": "ignore:\n  - src/**\n" },
      "ignored by `.github/magis.yml` (1)",
    ],
    [
      "everything ignored",
      { "src/a.txt": "x", ".github/magis.yml": "ignore:\n  - '**'\n" },
      "ignored by `.github/magis.yml` (2)",
    ],
  ])("refuses to begin without searchable files: %s", async (_what, files, said) => {
    const { run, asked } = await running({}, files);
    const { result, report } = await run();
    expect(result).toMatchObject({ kind: "refused", reason: expect.stringContaining(said) });
    expect(asked()).toEqual([]);
    expect(report.state?.spend.calls).toBe(0);
  });

  it("ends as cancelled when it is aborted, and reports what was spent", async () => {
    const { run, controller, lines } = await running({
      "p09-change-file": () => {
        controller.abort();
        return new MagisError("RUN_CANCELLED", "The run was cancelled.", { usage: { input: 1 }, money: 0.5 });
      },
    });
    const { result, patch, report } = await run();
    expect(result).toEqual({ kind: "cancelled", by: "you", undone: [] });
    expect(patch).toHaveLength(0);
    expect(report.state?.spend.calls).toBeGreaterThan(0);
    expect(lines.filter((line) => line.startsWith("error"))).toEqual([]);
  });

  it("keeps what is finished when the model fails, and says why", async () => {
    const { run } = await running({ "p04-plan-work": new MagisError("MODEL_REJECTED", "The key is wrong.") });
    const { result, report } = await run();
    expect(result).toEqual({ kind: "failed", code: "MODEL_REJECTED", message: "The key is wrong." });
    expect(report.record).toHaveProperty("candidates");
  });
});
