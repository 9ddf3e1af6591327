import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { evalScript } from "../evaluation/eval-script.ts";
import { makeInstances } from "../evaluation/make-instances.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import { type GivenCommand, startMagis, startMagisHere } from "./start-magis.ts";

const WITHIN_MS = 240_000;

let model: ScriptedModel;
let made: ReturnType<typeof makeInstances>;
beforeAll(async () => {
  model = await startScriptedModel({ answer: evalScript });
  made = makeInstances();
});
afterAll(async () => {
  await model?.stop();
  made?.remove();
});

/** The built command line, in this process unless it is to be killed. */
function start(output: string, words: readonly string[] = [], by: typeof startMagis = startMagisHere) {
  const given: GivenCommand = {
    environment: { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: model.url },
    cwd: made.folder,
  };
  return by(["eval", "--instances", made.file, "--mirrors", made.mirrors, "--output", output, ...words], given);
}
const json = (...names: string[]) => JSON.parse(readFileSync(join(made.folder, ...names), "utf8"));
const ids = ["acme__shop-1", "acme__till-2"];
/** What the records have of each instance, but for what differs from run to run: times, and what the cache had. */
const recorded = (output: string) =>
  ids.map((id) => {
    const { end, patch, recall, spend } = json(output, "instances", id, "metrics.json");
    const { record } = json(output, "instances", id, "report.json");
    return { end, patch, recall, calls: spend.calls, tasks: record.tasks, outcomes: record.work.outcomes };
  });
const money = (output: string): number => json(output, "results.json").totals.spend.money.total;

describe("magis eval --batch", () => {
  it(
    "advances all instances together, at half the price, with the same records",
    async () => {
      const plain = await start("plain").ended;
      expect(plain).toMatchObject({ exitCode: 0 });
      const calls = model.journal.length;
      const { exitCode, err, out } = await start("batch", ["--batch", "--judge"]).ended;
      expect({ exitCode, faults: model.faults }).toEqual({ exitCode: 0, faults: [] });
      expect(out.toString()).toContain("2 instances finished");
      // Locating, planning, writing, reviewing and judging: for both together unless the machine is slow.
      const sent = err.match(/Batch \S+: .* sent\./g)?.length ?? 0;
      expect(sent).toBeGreaterThanOrEqual(5);
      expect(sent).toBeLessThan(10);
      expect(model.journal.length - calls).toBe(10);
      expect(recorded("batch")).toEqual(recorded("plain"));
      const judged = ids.reduce((sum, id) => sum + json("batch", "instances", id, "metrics.json").correlation.money, 0);
      expect(money("batch")).toBeLessThan(money("plain") * 0.62);
      expect(json("batch", "results.json").spent).toBeCloseTo(money("batch") + judged, 8);
    },
    WITHIN_MS,
  );

  it(
    "goes on after a kill with the batches that were sent, and pays for nothing twice",
    async () => {
      const hold = model.hold(({ promptId }) => promptId === "p09-change-file");
      const from = model.journal.length;
      const first = start("killed", ["--batch"], startMagis);
      await Promise.race([hold.reached, first.ended]);
      first.kill();
      await first.ended;
      hold.release();
      const second = await start("killed", ["--batch"]).ended;
      expect(second).toMatchObject({
        exitCode: 0,
        err: expect.stringContaining("of an earlier call is taken up again"),
      });
      expect(model.journal.length - from).toBe(8);
      expect(recorded("killed")).toEqual(recorded("plain"));
      expect(json("killed", "results.json").spent).toBeCloseTo(money("killed"), 8);
      expect(model.faults).toEqual([]);
    },
    WITHIN_MS,
  );

  it("does not mix its results with others", async () => {
    const mixed = await start("plain", ["--batch"]).ended;
    expect(mixed.exitCode).not.toBe(0);
    expect(mixed.err).toContain("batch was null and is true");
  });

  it(
    "begins nothing that --budget has no room for",
    async () => {
      const { exitCode } = await start("poor", ["--batch", "--budget", "0.06"]).ended;
      expect(exitCode).toBe(4);
      expect(json("poor", "results.json").spent).toBeLessThanOrEqual(0.06);
    },
    WITHIN_MS,
  );
});
