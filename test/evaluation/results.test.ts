import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createMoneyPool } from "../../eval/evaluation/evaluating.ts";
import {
  beginResults,
  goOnWithResults,
  openLedger,
  readResultFolder,
} from "../../eval/evaluation/results/result-folder.ts";
import { sampleMetrics } from "./sample-metrics.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magis-results-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the folder of results", () => {
  const wanted = (configuration: Record<string, unknown> = { profile: "lean" }) => ({
    version: "1",
    began: "2026-01-01T00:00:00Z",
    configuration,
  });
  const finished = (id: string) => ({
    prediction: { instance_id: id, model_patch: "p", model_name_or_path: "m" },
    report: { id, repository: "a/b", title: "t", requestedAt: "", record: {}, calls: [] },
    metrics: sampleMetrics({ id }),
  });

  it("lists complete instances only", async () => {
    const results = await goOnWithResults(folder, wanted());
    for (const id of ["a-1", "a-2", "a-3"]) await results.keep(finished(id));
    rmSync(join(folder, "instances", "a-1", "report.json"));
    writeFileSync(join(folder, "instances", "a-2", "metrics.json"), '{"id": "a-2", "repo');
    mkdirSync(join(folder, "instances", "a-4"));
    const again = await goOnWithResults(folder, wanted());
    const [id, kept] = [...(await again.finished())][0] ?? [];
    expect([id, kept]).toEqual([
      "a-3",
      { prediction: finished("a-3").prediction, metrics: sampleMetrics({ id: "a-3" }) },
    ]);
    expect((await again.finished()).size).toBe(1);
  });

  it("refuses another configuration and foreign folders, and deletes only its own files", async () => {
    const results = await goOnWithResults(folder, wanted());
    await results.keep(finished("a-1"));
    await results.write("report.md", "");
    writeFileSync(join(folder, "notes.txt"), "mine");
    const other = wanted({ profile: "paper" });
    await expect(goOnWithResults(folder, other)).rejects.toMatchObject({
      message: expect.stringContaining('profile was "lean" and is "paper"'),
    });
    const fresh = await beginResults(folder, other);
    expect((await fresh.finished()).size).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["evaluation.json", "instances", "notes.txt"]);
    const foreign = join(folder, "foreign");
    mkdirSync(join(foreign, "instances"), { recursive: true });
    const refused = beginResults(foreign, wanted());
    await expect(refused).rejects.toMatchObject({ code: "CONFIGURATION_INVALID" });
    expect(readdirSync(foreign)).toEqual(["instances"]);
    await expect(readResultFolder(join(folder, "none"))).rejects.toMatchObject({ code: "CONFIGURATION_INVALID" });
  });

  it("has a ledger that survives a kill in the middle of a line", async () => {
    const file = join(folder, "ledger.jsonl");
    const first = (await openLedger(file)).begin("a-1");
    for (const money of [0.1, 0.25]) first(money);
    appendFileSync(file, '{"id": "a-2", "att');
    const again = await openLedger(file);
    expect(again.spent()).toBe(0.25);
    again.begin("a-1")(0.5);
    expect((await openLedger(file)).spent()).toBe(0.75);
  });
});

describe("the budget of an evaluation", () => {
  it("reserves the most an instance may use, releases the rest, and never goes below zero", () => {
    const pool = createMoneyPool(10, 1);
    const [first, second] = [pool.hold(5, 1), pool.hold(5, 1)];
    expect([first?.money, second?.money, pool.left()]).toEqual([5, 4, 0]);
    expect(pool.hold(5, 1)).toBeUndefined();
    first?.settle(0.5);
    first?.settle(0.5);
    expect([pool.left(), pool.spent()]).toEqual([4.5, 1.5]);
    expect(pool.hold(5, 4.6)).toBeUndefined();
    expect(pool.hold(2, 4.6)?.money).toBe(2);
    expect(createMoneyPool(Number.POSITIVE_INFINITY, 3).hold(5, 5)?.money).toBe(5);
  });
});
