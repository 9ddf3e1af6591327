import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { noteForSweep, sweepEndedRuns } from "../../src/queue/sweep.ts";
import { engineHarness } from "./engine-harness.ts";
import { delivery, requestOf, until } from "./in-process.ts";

const SECOND = 1_000;

describe("sweeps after ended runs", () => {
  const harness = engineHarness();

  it("come a few times in the minutes after an end, also when one fails, and then stop", async () => {
    const { database } = await harness.start();
    const { pool } = database;
    const swept: number[] = [];
    let now = 0;
    const sweep = async () => {
      swept.push(now / SECOND);
      if (swept.length === 2) throw new MagisError("HOST_UNREACHABLE", "GitHub is away.");
    };
    const sweeps = { pool, sweep, log: harness.log, now: () => now, due: new Map() };
    await noteForSweep(pool, requestOf(delivery("d1", 1)));
    await noteForSweep(pool, requestOf(delivery("d1", 1)));
    for (; now < 3_600 * SECOND; now += 5 * SECOND) await sweepEndedRuns(sweeps);
    expect(swept).toEqual([10, 60, 120, 360, 1_260]);
    expect((await pool.query("SELECT run FROM magis.swept_run")).rows).toEqual([]);
  });

  it("give up a repository that is gone after four, over restarts", async () => {
    const { database } = await harness.start();
    const { pool } = database;
    const swept: number[] = [];
    let now = 0;
    const sweep = async () => {
      swept.push(now / SECOND);
      throw new MagisError("HOST_NOT_FOUND", "It is not there.");
    };
    let due = new Map();
    await noteForSweep(pool, requestOf(delivery("d1", 1)));
    for (; now < 7_200 * SECOND; now += 5 * SECOND) {
      if (now % (1_000 * SECOND) === 0) due = new Map();
      await sweepEndedRuns({ pool, sweep, log: harness.log, now: () => now, due });
    }
    expect(swept).toHaveLength(4);
    expect((await pool.query("SELECT run FROM magis.swept_run")).rows).toEqual([]);
  });

  it.each([
    ["was cancelled", "cancel"],
    ["failed", "fail"],
  ] as const)("are due after a run that %s", async (_, how) => {
    const request = requestOf(delivery("d1", 1));
    let begun = false;
    const running = await harness.start({
      resolve: async () => {
        begun = true;
        if (how === "cancel") return new Promise(() => undefined);
        return { kind: "failed", code: "HOST_UNREACHABLE", message: "GitHub did not answer." };
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun, "the run to begin");
    if (how === "cancel")
      await running.engine.receive({ ...delivery("d2", 1), trigger: { kind: "gone", why: "closed" } });
    const noted = async () =>
      (await running.database.pool.query<{ run: string }>("SELECT run FROM magis.swept_run")).rows;
    await until(async () => (await noted()).length > 0, "the run to be noted");
    expect(await noted()).toEqual([{ run: request.id }]);
  });
});
