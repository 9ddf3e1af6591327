import { chmod, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openOwnRuns } from "../../src/app/own-state.ts";
import { runCli } from "../../src/commands/run-cli.ts";
import { showCommand } from "../../src/commands/show/show-command.ts";
import { RECORD_VERSION, type RecordParts } from "../../src/data/run-record.ts";
import { createRunStore } from "../../src/queue/database/run-store.ts";
import { keepRequest } from "../../src/queue/runs.ts";
import type { RunReport } from "../../src/run/runs.ts";
import { copyStarted } from "../bot/copy-database.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { QUIET } from "../queue/database/test-databases.ts";
import { hostileReport } from "../report/run/hostile-report.ts";
import { sampleCall, sampleReport } from "../report/run/sample-report.ts";
import { commandContext, named } from "./command-context.ts";
import { magis, startBotOn, withPool } from "./own-database.ts";
import { startMagis } from "./start-magis.ts";

/** `magis show` of the runs that the command line has kept, and of files. */
describe("magis show", () => {
  let folder: string;
  const RUN = sampleReport().id;
  const at = (name: string) => join(folder, name);
  const show = (words: readonly string[], state = "state") => {
    const commands = [named("show", showCommand, { operand: { name: "RUN", description: "which", required: false } })];
    return runCli(["show", ...words], commands, commandContext({ environment: { XDG_STATE_HOME: at(state) } }));
  };
  const keep = (report: RunReport, state = "state") =>
    openOwnRuns({ XDG_STATE_HOME: at(state) }, () => undefined)?.keep(report);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-show-"));
    await keep(sampleReport());
    await writeFile(at("run.json"), JSON.stringify(sampleReport()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("shows a kept run by its id and by its issue, and a file", async () => {
    for (const name of [RUN, "ana/shop#7", at("run.json")])
      expect(await show([name])).toMatchObject({
        exitCode: 0,
        text: expect.stringMatching(/Repository Custodian: the files[\s\S]*Manager: the plan/),
      });
  });

  it("fails with a sentence on what is no run", async () => {
    await writeFile(at("bad.json"), "{");
    await writeFile(at("other.json"), '{"id": 1}');
    const cases = [
      ["none.json", "cannot be read"],
      ["bad.json", "does not hold a run"],
      ["other.json", "does not hold a run"],
    ] as const;
    for (const [file, words] of cases)
      expect(await show([at(file)])).toEqual({ exitCode: 1, text: expect.stringContaining(words) });
    expect(await show(["ana/shop#8"])).toEqual({ exitCode: 1, text: expect.stringContaining("kept here: ana/shop#8") });
  });

  it("shows one part", async () => {
    const { text } = await show([RUN, "--part", "calls"]);
    expect(text).toContain("one after another");
    expect(text).not.toContain("Manager: the plan");
    const { proof: _, ...record } = sampleReport().record as Record<string, unknown>;
    await writeFile(at("unproved.json"), JSON.stringify({ ...sampleReport(), record }));
    expect(await show([at("unproved.json"), "--part", "proof"])).toEqual({
      exitCode: 1,
      text: "Nothing of the part proof is kept of this run.",
    });
  });

  it("writes a page, or says why it could not", async () => {
    const [page, nowhere] = [at("run.html"), at("none/run.html")];
    expect(await show([RUN, "--html", page])).toEqual({ exitCode: 0, text: `Wrote ${page}.` });
    expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    const failed = await show([RUN, "--html", nowhere]);
    expect(failed).toEqual({ exitCode: 1, text: expect.stringContaining("run.html cannot be written") });
  });

  it("gives the whole report as JSON that a terminal takes no harm from", async () => {
    const report = JSON.parse(JSON.stringify({ ...hostileReport(), ofAnotherVersion: 1 }));
    await writeFile(at("hostile.json"), JSON.stringify(report));
    const { output, text } = await show([at("hostile.json"), "--json"]);
    expect(text).toBe("");
    expect(JSON.parse(String(output))).toEqual(report);
    expect(output).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it("lists the latest runs without a name", async () => {
    const requestedAt = new Date().toISOString();
    await keep({ ...sampleReport(), title: "Discounts are \u001b[31mcut off", requestedAt }, "listed");
    await keep({ id: "a/b#1@x", repository: "a/b", title: "", requestedAt, record: {}, calls: [] }, "listed");
    const { exitCode, text } = await show([], "listed");
    expect(exitCode).toBe(0);
    expect(text).toMatch(
      new RegExp(
        `UTC {2}ana/shop#7 {2}\\[.*\\] {2}\\$0\\.\\d+ {2}on the command line\\n {2}Discounts are cut off\\n {2}${RUN}`,
      ),
    );
    expect(text).toMatch(/UTC {2}a\/b {2}\[[\w ]+\] {2}\$0\.00 {2}on the command line\n {2}a\/b#1@x/);
    expect(JSON.parse(String((await show(["--json"], "listed")).output))).toHaveLength(2);
    expect(await show([], "none")).toEqual({
      exitCode: 1,
      text: expect.stringContaining("No run of the command line"),
    });
  });

  it.each([
    [[RUN, "ana/shop#8"], "too many arguments"],
    [["--html", "x.html"], "need a run"],
    [["--open"], "need a run"],
    [[RUN, "--json", "--html", "x.html"], "--json is given alone"],
    [[RUN, "--open", "--json"], "--json is given alone"],
    [[RUN, "--part", "all"], "'all' is invalid. Allowed choices are issue,"],
  ])("%j is wrong usage", async (words, fault) => {
    expect(await show(words)).toEqual({ exitCode: 2, text: expect.stringContaining(fault) });
  });
});

const REQUEST = sampleRequest();

/** Keeps the sample run as the bot would have, with one answer of a megabyte. */
function keepRun(dataDir: string): Promise<RunReport> {
  const { record, state, calls, title } = sampleReport();
  return withPool({ dataDir }, async (pool) => {
    const store = createRunStore(pool, QUIET);
    await keepRequest(pool, QUIET, REQUEST);
    if (state) await (await store.openWriter(REQUEST.id)).saveState(state);
    const parts = Object.entries(record).filter(([part]) => part !== "version") as [keyof RecordParts, unknown][];
    for (const [part, value] of parts) await (await store.openWriter(REQUEST.id)).saveRecord(part, value as never);
    const large = sampleCall("p11-review-work", 3_650_000, 100);
    const answer = { ...(large.answer as NonNullable<typeof large.answer>), text: "naïve ".repeat(170_000) };
    const all = [...calls, { ...large, answer }];
    for (const call of all) await store.recordCall(REQUEST.id, call);
    const { id, requestedAt } = REQUEST;
    const kept = { version: RECORD_VERSION, ...record };
    return {
      id,
      repository: "ana/shop",
      number: 7,
      title,
      requestedAt,
      work: "resolve",
      state,
      record: kept,
      calls: all,
    };
  });
}

describe("magis show, built", () => {
  let dataDir: string;
  let kept: RunReport;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "magis-show-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("shows a file without any database", async () => {
    await writeFile(join(dataDir, "run.json"), JSON.stringify(sampleReport()));
    const ended = await magis({ dataDir }, ["show", "run.json"], startMagis);
    expect(ended).toMatchObject({ exitCode: 0, err: "", out: expect.stringContaining("Repository Custodian") });
    // Standard output is no terminal here.
    expect(ended.out).not.toContain("\u001b");
    expect(await readdir(dataDir)).toEqual(["run.json"]);
  });

  it("reads the database while the bot does not run", async () => {
    copyStarted(dataDir);
    kept = await keepRun(dataDir);
    const list = await magis({ dataDir }, ["show"]);
    expect(list).toMatchObject({ exitCode: 0, out: expect.stringContaining("ana/shop#7  [budget used up]  $0.0760") });
    const { exitCode, out } = await magis({ dataDir }, ["show", REQUEST.id, "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({ ...JSON.parse(JSON.stringify(kept)), standing: { is: "ended" } });
  });

  it("asks the bot while that runs, and gets all of a large answer", async () => {
    const bot = await startBotOn(dataDir);
    try {
      const { exitCode, out } = await magis({ dataDir }, ["show", "Ana/SHOP#7", "--json"], startMagis);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).toEqual({ ...JSON.parse(JSON.stringify(kept)), standing: { is: "ended" } });
      const text = await magis({ dataDir }, ["show", "ana/shop#7", "--part", "calls"]);
      expect(text).toMatchObject({ exitCode: 0, out: expect.stringMatching(/In sequence +7 one after another/) });
    } finally {
      await bot.stop();
    }
  });
});

/** Nothing is opened on the machine of the tests but what stands here. */
const isLinux = process.platform === "linux";

(isLinux ? describe : describe.skip)("magis show --open", () => {
  let folder: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "magis-open-")));
    const browser = join(folder, "browser");
    await writeFile(browser, "#!/bin/sh\nexit 0\n");
    await chmod(browser, 0o755);
    environment = { BROWSER: browser, HOME: folder, TMPDIR: folder };
    await writeFile(join(folder, "run.json"), JSON.stringify(sampleReport()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  // A process of its own: the browser is started with what is in its environment.
  const show = async (words: readonly string[]) => {
    const { exitCode, out, err } = await startMagis(["show", "run.json", ...words], { environment, cwd: folder }).ended;
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    return /^Opened in the browser: (.*)\n$/.exec(out.toString())?.[1] ?? "";
  };

  it("opens a page that only its owner can read, and that stays", async () => {
    const file = await show(["--open"]);
    expect(dirname(dirname(file))).toBe(folder);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(await show(["--open"])).not.toBe(file);
  });

  it("says where the page is, and not that it was opened, where no browser took it", async () => {
    const broken = join(folder, "broken");
    await writeFile(broken, "#!/bin/sh\nexit 1\n");
    await chmod(broken, 0o755);
    const words = ["show", "run.json", "--open"];
    const { exitCode, out } = await startMagis(words, {
      environment: { ...environment, BROWSER: broken, PATH: folder },
      cwd: folder,
    }).ended;
    expect({ exitCode, out: out.toString() }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^No browser could be started\. The page is in /),
    });
  });
});
