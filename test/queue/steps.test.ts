import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { longPauseOf } from "../../src/data/outage.ts";
import { cancelRows } from "../../src/queue/work-queue.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, statuses, until } from "./in-process.ts";

describe("steps of a run", () => {
  const { start, ended, log } = engineHarness();

  it("retries a step after a transient error only, and throws any other with its code", async () => {
    const attempts = { host: 0, refused: 0, bug: 0 };
    const seen: unknown[] = [];
    const running = await start({
      resolve: async (_request, step) => {
        const value = await step("host", async () => {
          if (++attempts.host === 1) throw new MagisError("HOST_UNREACHABLE", "The host did not answer.");
          return { fine: true, nothing: undefined };
        });
        seen.push(value);
        await step("refused", async () => {
          attempts.refused++;
          throw new MagisError("MODEL_REJECTED", "The key is wrong.", { status: 401 });
        }).catch((error: unknown) => seen.push(error));
        await step("bug", async () => {
          attempts.bug++;
          throw new TypeError("x is not a function");
        }).catch((error: unknown) => seen.push(error));
        return DONE;
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await ended(running, "Owner/repo#1@d1");
    expect(attempts).toEqual({ host: 2, refused: 1, bug: 1 });
    expect(seen[0]).toEqual({ fine: true, nothing: undefined });
    expect(seen[1]).toMatchObject({ code: "MODEL_REJECTED", message: "The key is wrong.", data: { status: 401 } });
    expect(seen[2]).toBeInstanceOf(TypeError);
  });

  it("ends a step that GitHub puts off for long, so that the run waits without a place, and then does it again", async () => {
    const order: string[] = [];
    let refused = true;
    const running = await start(
      {
        async resolve({ issue }, step, _later, wait) {
          if (issue === 2) {
            order.push("other run");
            refused = false;
            return DONE;
          }
          for (;;) {
            const pause = await step("write", async () => {
              order.push(refused ? "refused" : "written");
              const data = { limited: true, retryAfterMs: 61_000 };
              if (refused) throw new MagisError("HOST_UNREACHABLE", "GitHub's rate limit.", data);
            }).catch(longPauseOf);
            if (pause === undefined) return DONE;
            await wait?.(100);
          }
        },
      },
      { concurrency: 1 },
    );
    await running.engine.receive(delivery("d1", 1));
    await until(() => order.length > 0, "the first attempt");
    await running.engine.receive(delivery("d2", 2));
    await ended(running, "Owner/repo#1@d1");
    expect(order.filter((one) => one !== "refused")).toEqual(["other run", "written"]);
  });

  it("ends a cancelled run, and signals its step", async () => {
    let begun = false;
    let aborted = false;
    let after = false;
    const running = await start({
      resolve: async (_request, step) => {
        await step(
          "long",
          ({ signal }) =>
            new Promise((_resolve, reject) => {
              begun = true;
              signal.addEventListener("abort", () => {
                aborted = true;
                reject(new Error("aborted"));
              });
            }),
        ).catch(() => undefined);
        after = true;
        return DONE;
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun, "the step");
    // Cancel it as another machine would.
    await cancelRows(running.database.pool, ["Owner/repo#1@d1"]);
    await until(() => aborted, "the signal");
    expect(after).toBe(false);
    expect(await statuses(running.database)).toMatchObject({ "Owner/repo#1@d1": "CANCELLED" });
  });

  it("cancels an issue's unfinished runs on request, and reports it when their work has stopped", async () => {
    const reported: string[] = [];
    let begun = false;
    let isStopped = false;
    const running = await start({
      resolve: async (_request, step) => {
        await step("long", async ({ signal }) => {
          begun = true;
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          isStopped = true;
          throw new Error("aborted");
        });
        return DONE;
      },
      cancelled: async (request, by) => {
        reported.push(`${request.id} ${by} ${isStopped}`);
      },
    });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun, "the step");
    await running.engine.receive({ ...delivery("d2", 1), trigger: { kind: "unlabel", label: "magis" } });
    await until(() => reported.length === 1, "the report");
    expect(reported).toEqual(["Owner/repo#1@d1 maintainer true"]);
    expect(await statuses(running.database)).toMatchObject({ "Owner/repo#1@d1": "CANCELLED" });
    await running.engine.receive(delivery("d3", 1));
    await ended(running, "d3");
    expect(log.lines.filter(({ level }) => level !== "info")).toEqual([]);
  });
});
