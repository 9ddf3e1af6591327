import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { AdmissionDecision, Delivery, Trigger } from "../../src/data/run-request.ts";
import type { EngineHandlers } from "../../src/queue/engine.ts";
import { addRun } from "../../src/queue/work-queue.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, type Running, requestOf, statuses, until } from "./in-process.ts";

const deliveryWith = (id: string, issue: number, changes: Partial<Delivery>): Delivery => ({
  ...delivery(id, issue),
  ...changes,
});
const CANCEL: Trigger = { kind: "other-command", commentId: 1, command: { verb: "cancel" }, on: "issue" };
const STATUS: Trigger = { kind: "other-command", commentId: 2, command: { verb: "status" }, on: "issue" };

describe("the order of deliveries", () => {
  const { start, stop, ended } = engineHarness();

  /** An admission whose deliveries begin and end when the test says. */
  function gatedAdmission() {
    const events: string[] = [];
    const waiting = new Map<string, () => void>();
    const admit: EngineHandlers["admit"] = async ({ id }): Promise<AdmissionDecision | undefined> => {
      events.push(`+${id}`);
      await new Promise<void>((resolve) => waiting.set(id, resolve));
      events.push(`-${id}`);
      return undefined;
    };
    const begun = (id: string) => until(() => waiting.has(id), `${id} to begin: ${events.join(" ")}`);
    const release = async (id: string) => {
      await begun(id);
      waiting.get(id)?.();
    };
    return { admit, events, begun, release };
  }

  it("admits deliveries of an issue and its pull request one by one, and other issues meanwhile", async () => {
    const { admit, events, begun, release } = gatedAdmission();
    const running = await start({ admit });
    await running.engine.receive(delivery("a1", 1));
    await running.engine.receive(deliveryWith("a2", 9, { subject: 1 }));
    await running.engine.receive(delivery("b1", 2));
    await running.engine.receive(delivery("a3", 1));
    await running.engine.receive(delivery("c1", 1, "other"));
    for (const id of ["a1", "b1", "c1"]) await begun(id);
    expect(events.toSorted()).toEqual(["+a1", "+b1", "+c1"]);
    for (const id of ["b1", "c1", "a1", "a2", "a3"]) await release(id);
    await ended(running, "a3");
    expect(events.filter((event) => event.includes("a"))).toEqual(["+a1", "-a1", "+a2", "-a2", "+a3", "-a3"]);
  });

  it("keeps the order of those that arrive at the same moment, also over a restart", async () => {
    const order: string[] = [];
    const hanging = await start({ admit: () => new Promise(() => undefined) });
    const ids = ["z", "y", "x", "w", "v", "u"];
    await Promise.all(ids.map((id) => hanging.engine.receive(delivery(id, 1))));
    await until(async () => (await statuses(hanging.database)).z === "PENDING", "the first to be admitted");
    await stop(hanging, 1_000);
    const admit = async ({ id }: Delivery) => {
      order.push(id);
      return undefined;
    };
    const running = await start({ admit });
    await ended(running, "u");
    expect(order).toEqual(ids);
  });

  it("goes on after one that fails, and past one that takes too long", async () => {
    const order: string[] = [];
    const admit = async ({ id }: Delivery) => {
      order.push(id);
      if (id === "fails") throw new MagisError("HOST_REFUSED", "Not for us.");
      if (id === "hangs") await new Promise(() => undefined);
      return undefined;
    };
    const running = await start({ admit }, { patienceMs: 400 });
    for (const id of ["fails", "hangs", "next", "last"]) await running.engine.receive(delivery(id, 1));
    await ended(running, "last");
    expect(order).toEqual(["fails", "hangs", "next", "last"]);
    expect(await statuses(running.database)).toMatchObject({ fails: "ERROR", hangs: "PENDING", next: "SUCCESS" });
  });

  const cancelling = (calledOff: boolean): EngineHandlers["admit"] => {
    return async (received) => {
      const { trigger, repository } = received;
      if (trigger.kind === "other-command" && trigger.command.verb === "cancel") {
        const off = calledOff && { calledOff: [requestOf(delivery("d1", 1))] };
        return { cancel: { repository, issue: 1, by: "ana", ...off } };
      }
      if (trigger.kind !== "label") return undefined;
      if (received.id === "d1") await new Promise(() => undefined);
      return { start: requestOf(received) };
    };
  };
  async function keptRequests({ database }: Running): Promise<string[]> {
    return (await database.pool.query<{ id: string }>("SELECT id FROM magis.run")).rows.map(({ id }) => id);
  }

  it("ends a run's wait in time, and at a wake", async () => {
    const waits: number[] = [];
    const running = await start({
      admit: async (received) =>
        received.id === "wake"
          ? { wake: { repository: received.repository, issue: 1 } }
          : { start: requestOf(received) },
      async resolve(_request, _step, _later, wait) {
        for (const ms of [500, 3_600_000]) {
          waits.push(ms);
          await wait?.(ms);
        }
        return DONE;
      },
    });
    await running.engine.receive(delivery("waits", 1));
    await until(() => waits.length === 2, "the second wait");
    await running.engine.receive(delivery("wake", 1));
    await ended(running, "Owner/repo#1@waits");
  });

  it.each([true, false])("cancels earlier requests, waiting or stuck in admission (kept: %s)", async (kept) => {
    const reported: string[] = [];
    const running = await start({
      admit: cancelling(kept),
      cancelled: async ({ id }, by) => void reported.push(`${id} by ${by}`),
    });
    await running.engine.receive(delivery("d1", 1));
    await running.engine.receive(deliveryWith("question", 1, { trigger: STATUS }));
    await running.engine.receive(delivery("d2", 1));
    await until(async () => (await statuses(running.database)).d1 === "PENDING", "the first to be admitted");
    await running.engine.receive(deliveryWith("stop", 1, { trigger: CANCEL }));
    await running.engine.receive(delivery("d3", 1));
    await ended(running, "d3");
    await ended(running, "Owner/repo#1@d3");
    const all = await statuses(running.database);
    expect(all).toMatchObject({ d1: "CANCELLED", d2: "CANCELLED", question: "SUCCESS", stop: "SUCCESS" });
    expect(Object.keys(all).filter((id) => id.startsWith("Owner"))).toEqual(["Owner/repo#1@d3"]);
    expect(reported).toEqual(kept ? ["Owner/repo#1@d1 by ana"] : []);
    expect((await keptRequests(running)).includes("Owner/repo#1@d1")).toBe(kept);
  });

  it("queues a run once when its delivery is admitted again after a crash", async () => {
    const { database } = await start({}, { concurrency: 0 });
    const request = requestOf(delivery("d1", 1));
    expect(await addRun(database.pool, request)).toBe("queued");
    expect(await addRun(database.pool, request)).toBe("queued");
    expect(await addRun(database.pool, requestOf(delivery("d2", 1)))).toBe("issue has an unfinished run");
    expect(Object.keys(await statuses(database))).toEqual([request.id]);
  });
});
