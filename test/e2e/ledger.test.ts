import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CostLine, LedgerStats } from "../../src/queue/ledger-port.ts";
import { copyStarted } from "../bot/copy-database.ts";
import { startMagisHere } from "../commands/start-magis.ts";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";

describe("what the bot has cost and what became of it", () => {
  let scene: ReviewScene;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "magis-ledger-"));
    copyStarted(dataDir);
    const revisions = [{ when: "Spell it out", edits: { 2: "A TWO" }, reply: "Spelt out now." }];
    scene = await startReviewScene(reviewScript({ revisions }), {
      environment: { MAGIS_DATA_DIR: dataDir, MAGIS_DRAFT: "false" },
    });
  });
  afterAll(async () => {
    await scene.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function magis<T>(...words: readonly string[]): Promise<T> {
    const { out, err } = await startMagisHere(words, { environment: { MAGIS_DATA_DIR: dataDir }, cwd: dataDir }).ended;
    if (err !== "") throw new Error(err);
    return JSON.parse(out.toString()) as T;
  }

  it("is in the ledger of the running bot: its runs, their review, what people changed before they merged, and a revert", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const { number, pull } = await scene.opened("Counted");
    const inThread = await alice.commentOn(number, { path: "docs/a.txt", line: 2, body: "Spell it out, please." });
    await scene.answered(number, inThread);
    await scene.ran(1);
    await alice.push(pull.head.ref, { "docs/notes.txt": "one\ntwo\nthree\n" });
    await alice.merge(number);

    const measured = async () => ((await magis<LedgerStats>("stats", "--json")).linesKnown === 1 ? true : undefined);
    await world.until(measured, { what: "the look at the merged pull request" });
    const stats = await magis<LedgerStats>("stats", "--json");
    expect(stats).toMatchObject({
      running: { runs: 0, setAside: 0 },
      pulls: { open: 0, merged: 1, reverted: 0, closed: 0 },
      medians: { linesAfter: 3, reviewComments: 1, rounds: 1 },
    });
    const [total] = await magis<CostLine[]>("costs", "--by", "repo", "--json");
    expect(total).toMatchObject({ name: "acme/shop", opened: 1, merged: 1 });
    expect(total?.money).toBeGreaterThan(0);
    // Each is the same money, summed another way.
    for (const by of ["org", "month", "person", "model"]) {
      const lines = await magis<CostLine[]>("costs", "--by", by, "--json");
      expect(lines.reduce((sum, { money }) => sum + money, 0)).toBeCloseTo(total?.money ?? 0, 9);
    }
    expect(await magis<CostLine[]>("costs", "--by", "person", "--json")).toMatchObject([{ name: "alice" }]);

    const merge = await world.git("rev-parse", "main");
    const message = `Revert "Count"\n\nThis reverts commit ${merge}, reversing\nchanges made to ${pull.base.sha}.`;
    await alice.push("main", { "docs/notes.txt": null }, message);
    const pulls = async () => (await magis<LedgerStats>("stats", "--json")).pulls;
    await world.until(async () => (await pulls()).reverted === 1, { what: "the revert in the ledger" });
    expect(await pulls()).toEqual({ open: 0, merged: 0, reverted: 1, closed: 0 });
  });
});
