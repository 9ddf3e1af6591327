import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openOwnRuns } from "../../src/app/own-state.ts";
import { runCli } from "../../src/commands/run-cli.ts";
import { showCommand } from "../../src/commands/show/show-command.ts";
import type { RunReport } from "../../src/run/runs.ts";
import { hostileReport } from "../report/run/hostile-report.ts";
import { sampleReport } from "../report/run/sample-report.ts";
import { commandContext, named } from "./command-context.ts";

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
    [[RUN, "ana/shop#8"], "Too many arguments"],
    [["--html", "x.html"], "need a run"],
    [["--open"], "need a run"],
    [[RUN, "--json", "--html", "x.html"], "--json is given alone"],
    [[RUN, "--open", "--json"], "--json is given alone"],
    [[RUN, "--part", "all"], "'all' is invalid. Allowed choices are issue,"],
  ])("%j is wrong usage", async (words, fault) => {
    expect(await show(words)).toEqual({ exitCode: 2, text: expect.stringContaining(fault) });
  });
});
