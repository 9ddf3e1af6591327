import { describe, expect, it } from "@jest/globals";
import type { CommandAnswer, CommandRequest } from "../../src/cli/requests.ts";
import { createAnswerer } from "../../src/cli/requests.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { createShowCommand } from "../../src/cli/show/show-command.ts";
import type { RunArchive, RunSummary } from "../../src/ports/runs.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { EMPTY_LEDGER } from "../fakes/empty-ledger.ts";
import { hostileReport } from "./show/hostile-report.ts";
import { sampleReport } from "./show/sample-report.ts";

const RUN = "ana/shop#7@delivery-1";
const SUMMARY: RunSummary = {
  id: RUN,
  repository: "ana/shop",
  number: 7,
  title: "Discounts are \u001b[31mcut off",
  requestedAt: "2026-01-01T12:00:00Z",
  end: "published",
  pullRequest: 12,
  money: 0.5,
};

function cli({ answer, files = {} }: { answer?: CommandAnswer; files?: Record<string, string> } = {}) {
  const sent: CommandRequest[] = [];
  const written: Record<string, string> = {};
  const command = createShowCommand(async () => ({
    send: async (request) => {
      sent.push(request);
      return answer ?? { report: JSON.parse(JSON.stringify(sampleReport())) };
    },
    readText: async (file) => (file in files ? { text: files[file] ?? "" } : { fault: `${file} is not there.` }),
    writeText: async (file, text) => {
      if (file.startsWith("none/")) return { fault: `${file} cannot be written.` };
      written[file] = text;
      return undefined;
    },
    openPage: async (_, file = "a file of its own") => `Opened ${file}.`,
    terminal: { columns: 100, colours: false },
  }));
  const context = { version: "1", signal: new AbortController().signal, progress: () => undefined };
  return { sent, written, run: (...words: string[]) => runCli(["show", ...words], [command], context) };
}

describe("magis show", () => {
  it.each([[RUN], ["Ana/shop.js#7"]])("asks for the run %s", async (name) => {
    const { run, sent } = cli();
    const { exitCode, text } = await run(name);
    expect({ exitCode, sent }).toEqual({ exitCode: 0, sent: [{ command: "show", run: name }] });
    expect(text).toContain("Repository Custodian: the files");
  });

  it("reads a file without asking the bot or the database", async () => {
    const { run, sent } = cli({ files: { "run.json": JSON.stringify(sampleReport()) } });
    expect(await run("run.json")).toMatchObject({ exitCode: 0, text: expect.stringContaining("Manager: the plan") });
    expect(sent).toEqual([]);
  });

  it.each([
    ["none.json", "is not there"],
    ["bad.json", "does not hold a run"],
    ["other.json", "does not hold a run"],
  ])("fails on %s with a sentence", async (file, words) => {
    const { run } = cli({ files: { "bad.json": "{", "other.json": '{"id": 1}' } });
    expect(await run(file)).toEqual({ exitCode: 1, text: expect.stringContaining(words) });
  });

  it("shows one part", async () => {
    const { text } = await cli().run(RUN, "--part", "calls");
    expect(text).toContain("one after another");
    expect(text).not.toContain("Manager: the plan");
    const absent = { report: JSON.parse(JSON.stringify(sampleReport())) };
    Reflect.deleteProperty(absent.report.record, "proof");
    expect(await cli({ answer: absent }).run(RUN, "--part", "proof")).toEqual({
      exitCode: 1,
      text: "Nothing of the part proof is kept of this run.",
    });
  });

  it("writes a page, or says why it could not", async () => {
    const { run, written } = cli();
    expect(await run(RUN, "--html", "run.html")).toEqual({ exitCode: 0, text: "Wrote run.html." });
    expect(written["run.html"]).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(await run(RUN, "--html", "none/run.html")).toEqual({
      exitCode: 1,
      text: "none/run.html cannot be written.",
    });
  });

  it("opens the page, from its file where it has one", async () => {
    const { run, written } = cli();
    expect(await run(RUN, "--open")).toEqual({ exitCode: 0, text: "Opened a file of its own." });
    expect(written).toEqual({});
    expect(await run(RUN, "--open", "--html", "run.html")).toEqual({ exitCode: 0, text: "Opened run.html." });
    expect(Object.keys(written)).toEqual(["run.html"]);
    expect(await run("--open")).toMatchObject({ exitCode: 2 });
    expect(await run(RUN, "--open", "--json")).toMatchObject({ exitCode: 2 });
  });

  it("gives the whole report as JSON that a terminal takes no harm from", async () => {
    const report = JSON.parse(JSON.stringify({ ...hostileReport(), ofAnotherVersion: 1 }));
    const { output, text } = await cli({ answer: { report } }).run(RUN, "--json");
    expect(text).toBe("");
    expect(JSON.parse(String(output))).toEqual(report);
    expect(output).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("lists the latest runs without a name", async () => {
    const { run, sent } = cli({
      answer: { runs: [SUMMARY, { id: "a/b#1@x", repository: "a/b", title: "", requestedAt: "", money: 0 }] },
    });
    expect((await run()).text.split("\n").slice(0, 6)).toEqual([
      "2026-01-01 12:00 UTC  ana/shop#7  [pull request #12]  $0.50",
      "  Discounts are cut off",
      `  ${RUN}`,
      "",
      "at an unknown time  a/b  [not ended]  $0.00",
      "  a/b#1@x",
    ]);
    expect(sent).toEqual([{ command: "show" }]);
    expect(JSON.parse(String((await run("--json")).output))).toHaveLength(2);
    expect(await cli({ answer: { runs: [] } }).run()).toEqual({ exitCode: 0, text: "No run is kept yet." });
  });

  it("fails when there is no such run, and with what went wrong", async () => {
    const none = await cli({ answer: { report: null } }).run("ana/shop#8");
    expect(none).toEqual({ exitCode: 1, text: expect.stringContaining("ana/shop#8") });
    expect(await cli({ answer: { fault: "It broke." } }).run(RUN)).toEqual({ exitCode: 1, text: "It broke." });
    const older = { exitCode: 1, text: expect.stringContaining("another version") };
    expect(await cli({ answer: { versions: 1 } }).run(RUN)).toEqual(older);
    expect(await cli({ answer: { report: { not: "a run" } } }).run(RUN)).toEqual(older);
  });

  it.each([
    [[RUN, "ana/shop#8"], "Too many arguments"],
    [["--html", "x.html"], "need a run"],
    [[RUN, "--json", "--html", "x.html"], "--json is given alone"],
    [[RUN, "--part", "all"], "'all' is invalid. Allowed choices are issue,"],
  ])("%j is wrong usage, and asks for nothing", async (words, fault) => {
    const { run, sent } = cli();
    expect(await run(...words)).toEqual({ exitCode: 2, text: expect.stringContaining(fault) });
    expect(sent).toEqual([]);
  });
});

describe("createAnswerer, asked to show", () => {
  const asked: unknown[] = [];
  const runs: RunArchive = {
    report: async (id) => {
      asked.push(id);
      return id === RUN ? sampleReport() : undefined;
    },
    latestReport: async (repository, number) => {
      asked.push([repository, number]);
      return sampleReport();
    },
    latest: async (most) => {
      asked.push(most);
      return [SUMMARY];
    },
  };
  const answer = createAnswerer({
    memory: { forget: async () => 0 },
    runs,
    ledger: EMPTY_LEDGER,
    log: createFakeLog().log,
  });

  it.each([
    [{ run: RUN }, RUN, { report: sampleReport() }],
    [{ run: "ana/shop#7" }, [{ owner: "ana", name: "shop" }, 7], { report: sampleReport() }],
    [{ run: "other" }, "other", { report: null }],
    [{}, 20, { runs: [SUMMARY] }],
  ])("answers %j", async (request, wanted, expected) => {
    asked.length = 0;
    expect(await answer({ command: "show", ...request })).toEqual(expected);
    expect(asked).toEqual([wanted]);
  });

  it("checks the request", async () => {
    for (const run of ["", "x".repeat(2000), 7]) {
      expect(await answer({ command: "show", run })).toEqual({ fault: expect.stringContaining("does not know") });
    }
  });
});
