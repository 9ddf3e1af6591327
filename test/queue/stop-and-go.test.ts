import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { EngineHandlers } from "../../src/queue/engine.ts";
import { startEngine } from "../../src/queue/start-engine.ts";
import { engineHandlers } from "../fakes/engine-handlers.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, statuses, until } from "./in-process.ts";

describe("stopping, starting again and cleaning up", () => {
  const { start, stop, reopen, ended, log } = engineHarness();

  it("suspends a run in time when it is stopped, and resumes it at the next start in the same process", async () => {
    const calls: string[] = [];
    let aborted = false;
    const first = await start({
      resolve: async (_request, step) => {
        calls.push(`value ${await step("one", async () => 40 + calls.push("one"))}`);
        await step("fails", async () => {
          throw new MagisError("BLOB_MISSING", "A file is gone.", { path: "a.ts" });
        }).catch((error: unknown) => calls.push(String(error)));
        await step("two", ({ signal }) => {
          calls.push("two");
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborted = true;
              reject(new MagisError("MODEL_UNAVAILABLE", "The call was cut off."));
            });
          });
        }).catch(() => calls.push("the abort was seen as an end"));
        calls.push("went on");
        return { kind: "failed", message: "wrong", code: "RUN_CANCELLED" };
      },
    });
    await first.engine.receive(delivery("d1", 1));
    await until(() => calls.includes("two"), "the second step");
    const begun = Date.now();
    await stop(first, 60_000);
    expect(Date.now() - begun).toBeLessThan(60_000);
    expect(aborted).toBe(true);
    expect(await first.engine.ready()).toBe(false);
    await expect(first.engine.receive(delivery("d9", 9))).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
    await reopen();

    const errors: unknown[] = [];
    const second = await start({
      resolve: async (_request, step) => {
        calls.push(`again ${await step("one", async () => calls.push("one"))}`);
        await step("fails", async () => 0).catch((error: unknown) => errors.push(error));
        await step("two", async () => calls.push("two again"));
        return DONE;
      },
    });
    await ended(second, "Owner/repo#1@d1");
    expect(calls).toEqual(["one", "value 41", "MagisError: A file is gone.", "two", "again 41", "two again"]);
    expect(errors[0]).toBeInstanceOf(MagisError);
    expect(errors[0]).toMatchObject({ code: "BLOB_MISSING", data: { path: "a.ts" } });
  });

  it("begins no further step of a run that stands between two when it is stopped", async () => {
    const calls: string[] = [];
    let goOn: () => void = () => undefined;
    const between = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const first = await start({
      resolve: async (_request, step) => {
        await step("one", async () => calls.push("one"));
        await between;
        calls.push("between");
        await step("two", async () => calls.push("two"));
        return DONE;
      },
    });
    await first.engine.receive(delivery("d1", 1));
    await until(() => calls.includes("one"), "the first step");
    const stopping = stop(first, 200);
    await until(async () => !(await first.engine.ready()), "the stop to begin");
    goOn();
    await stopping;
    expect(calls).toEqual(["one", "between"]);
  });

  it("stops in time although a step ignores its signal", async () => {
    let begun = false;
    const running = await start({
      resolve: async (_request, step) => {
        await step("deaf", () => {
          begun = true;
          return new Promise(() => undefined);
        });
        return DONE;
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun, "the step");
    const from = Date.now();
    await running.engine.stop(2_000);
    expect(Date.now() - from).toBeLessThan(60_000);
    await stop(running);
    const again = await start({});
    await ended(again, "Owner/repo#1@d1");
  });

  it("stops in time although the host keeps it waiting, and says when another may start", async () => {
    let answer: () => void = () => undefined;
    let isAsked = false;
    let isGone = false;
    const handlers: Partial<EngineHandlers> = {
      resolve: async (_request, step) => {
        await step("long", ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
        return DONE;
      },
      waits: async () => {
        isAsked = true;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      },
    };
    const first = await start(handlers, { concurrency: 1 });
    void first.engine.gone.then(() => {
      isGone = true;
    });
    await first.engine.receive(delivery("d1", 1));
    await first.engine.receive(delivery("d2", 2));
    await until(() => isAsked, "the report");
    await first.engine.stop(500);
    expect(isGone).toBe(false);
    answer();
    await stop(first);
    const second = await start({});
    await ended(second, "Owner/repo#1@d1");
    await ended(second, "Owner/repo#2@d2");
  });

  it("restarts a run of an earlier version from its first step", async () => {
    const steps: string[] = [];
    const first = await start({
      resolve: async (_request, step) => {
        await step("old", async () => steps.push("old"));
        await step("wait", () => new Promise(() => undefined));
        return DONE;
      },
    });
    await first.engine.receive(delivery("d1", 1));
    await until(() => steps.length === 1, "the first step");
    await stop(first, 1_000);
    const second = await start(
      {
        resolve: async (_request, step) => {
          await step("new", async () => steps.push("new"));
          return DONE;
        },
      },
      { version: "2" },
    );
    await ended(second, "Owner/repo#1@d1");
    expect(steps).toEqual(["old", "new"]);
  });

  it("reports a run that died too often, once", async () => {
    const reported: string[] = [];
    const first = await start({ resolve: (_request, step) => step("wait", () => new Promise(() => undefined)) });
    await first.engine.receive(delivery("d1", 1));
    await ended(first, "Owner/repo#1@d1", "PENDING");
    await stop(first, 1_000);
    const left = "UPDATE magis.work SET takeovers = 50, state = 'working', claimant = 'dead' WHERE state = 'waiting'";
    await first.database.pool.query(left);
    const abandoned: EngineHandlers["abandoned"] = async (request, reason) =>
      void reported.push(`${request.id} ${reason}`);
    const second = await start({ abandoned });
    await ended(second, "abandon:Owner/repo#1@d1");
    await stop(second);
    const third = await start({ abandoned });
    await third.engine.receive(delivery("d2", 1));
    await ended(third, "Owner/repo#1@d2");
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(/^Owner\/repo#1@d1 .*too often/);
  });

  it("deletes what ended long ago, and keeps the rest", async () => {
    const first = await start({
      resolve: async (request) => (request.issue === 2 ? await new Promise(() => undefined) : DONE),
    });
    await first.engine.receive(delivery("d1", 1));
    await ended(first, "Owner/repo#1@d1");
    await first.engine.receive(delivery("d2", 2));
    await ended(first, "Owner/repo#2@d2", "PENDING");
    await first.database.pool.query("UPDATE magis.work SET at = now() - interval '40 days' WHERE id ~ 'd1'");
    await first.database.pool.query("UPDATE magis.run SET updated_at = now() - interval '40 days'");
    await stop(first, 1_000);
    const second = await start({ resolve: () => new Promise(() => undefined) });
    await until(async () => !("d1" in (await statuses(second.database))), "the delivery to be deleted");
    await until(
      async () => (await second.database.pool.query("SELECT id FROM magis.run")).rows.length === 1,
      "the record to be deleted",
    );
    expect(Object.keys(await statuses(second.database))).toEqual(["d2", "Owner/repo#2@d2"]);
    const { rows } = await second.database.pool.query("SELECT workflow_uuid FROM dbos.workflow_status ORDER BY 1");
    expect(rows).toEqual(["Owner/repo#2@d2~1", "Owner/repo#2@d2~2", "d2~1"].map((id) => ({ workflow_uuid: id })));
  });

  it("allows one engine in a process at a time, and leaves the first alone", async () => {
    const first = await start({});
    const handlers = engineHandlers();
    const options = { database: first.database, concurrency: 1, version: "1", retentionDays: 30, log };
    await expect(startEngine({ ...options, handlers })).rejects.toThrow("one engine runs in this process already");
    await first.engine.receive(delivery("d1", 1));
    await ended(first, "Owner/repo#1@d1");
  });
});
