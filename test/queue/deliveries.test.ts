import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { Delivery } from "../../src/data/run-request.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, requestOf, statuses, until } from "./in-process.ts";

describe("deliveries and the queue of runs", () => {
  const { start, stop, ended, log } = engineHarness();

  it("records a delivery, runs it, and recognises a redelivery", async () => {
    const runs: string[] = [];
    const running = await start({
      resolve: async (request) => {
        runs.push(request.id);
        return DONE;
      },
    });
    expect(await running.engine.receive(delivery("d1", 1))).toBe("recorded");
    expect(await running.engine.receive(delivery("d1", 1))).toBe("known");
    await ended(running, "Owner/repo#1@d1");
    expect(await running.engine.receive(delivery("d1", 1))).toBe("known");
    expect(runs).toEqual(["Owner/repo#1@d1"]);
    expect(await running.engine.ready()).toBe(true);
  });

  it("ignores a body that arrived under another id, also after a restart and from many senders", async () => {
    const signed = { ...delivery("d1", 1), digest: "a".repeat(64) };
    const first = await start();
    const outcomes = await Promise.all(["d1", "d1", "d2", "d3"].map((id) => first.engine.receive({ ...signed, id })));
    expect(outcomes.filter((outcome) => outcome === "recorded")).toHaveLength(1);
    const kept = Object.keys(await statuses(first.database)).filter((id) => /^d\d$/.test(id));
    expect(kept).toHaveLength(1);
    await stop(first);
    const second = await start();
    expect(await second.engine.receive({ ...signed, id: "d4" })).toBe("known");
    expect(await second.engine.receive({ ...signed, digest: "b".repeat(64), id: "d5" })).toBe("recorded");
    // GitHub redelivers one that could not be stored: its body is known, but under its own id.
    const sql = "INSERT INTO magis.delivery_digest (digest, delivery) VALUES ($1, 'd6')";
    await second.database.pool.query(sql, ["c".repeat(64)]);
    expect(await second.engine.receive({ ...signed, digest: "c".repeat(64), id: "d6" })).toBe("recorded");
  });

  // GitHub's times are in seconds: what happens again within one has the same body.
  it.each([
    ["label, unlabel, label", ["label", "unlabel", "label"], [true, true, true]],
    ["label, unlabel, label, unlabel", ["label", "unlabel", "label", "unlabel"], [true, true, true, true]],
    ["unlabel, label, unlabel", ["unlabel", "label", "unlabel"], [true, true, true]],
    ["closed, a command, closed", ["closed", "command", "closed"], [true, true, true]],
    ["locked, a label, locked", ["locked", "label", "locked"], [true, true, true]],
    ["pushed, pushed back, pushed", ["push-a", "push-b", "push-a"], [true, true, true]],
    ["a body that comes twice", ["label", "label"], [true, false]],
    ["each body twice", ["label", "label", "unlabel", "unlabel"], [true, false, true, false]],
    ["the last of three once more", ["label", "unlabel", "label", "label"], [true, true, true, false]],
    ["a comment, which has an id of its own", ["command", "label", "command"], [true, true, false]],
    ["an old body after something later", ["label", "later", "label"], [true, true, false]],
  ])("takes an equal body for a new event only after another: %s", async (_, kinds, expected) => {
    const running = await start({ admit: async () => undefined });
    const bodies: Readonly<Record<string, Partial<Delivery>>> = {
      label: {},
      unlabel: { trigger: { kind: "unlabel", label: "magis" } },
      closed: { trigger: { kind: "gone", why: "closed" } },
      locked: { trigger: { kind: "gone", why: "locked" } },
      command: { trigger: { kind: "command", commentId: 5, hint: "" }, event: "comment-5" },
      "push-a": { trigger: { kind: "push", branch: "main", tip: "a".repeat(40) } },
      "push-b": { trigger: { kind: "push", branch: "main", tip: "b".repeat(40) } },
      later: { trigger: { kind: "unlabel", label: "magis" }, at: "2026-01-02T03:04:06Z" },
    };
    const send = (kind: string, index: number) =>
      running.engine.receive({ ...delivery(`d${index}`, 1), ...bodies[kind], digest: kind });
    const outcomes: string[] = [];
    for (const [index, kind] of kinds.entries()) outcomes.push(await send(kind, index));
    expect(outcomes).toEqual(expected.map((isNew) => (isNew ? "recorded" : "known")));
    // GitHub redelivers under the same id, which is never done twice.
    const redelivered = kinds.map((kind, index) => (expected[index] ? send(kind, index) : "known"));
    expect(new Set(await Promise.all(redelivered))).toEqual(new Set(["known"]));
  });

  it.each([
    ["set in the same second, as the order of three may be", ["label", "label", "off"], [true]],
    ["set later, and that came first", ["later", "off"], [true]],
    ["set before", ["earlier", "off"], [undefined]],
    ["not set lately", ["off"], [undefined]],
  ])("has GitHub asked about a label that was taken off when it was %s", async (_, kinds, expected) => {
    const asked: (boolean | undefined)[] = [];
    const running = await start({
      admit: async ({ trigger, again }) => {
        if (trigger.kind === "unlabel") asked.push(again);
        return undefined;
      },
    });
    const bodies: Readonly<Record<string, Partial<Delivery>>> = {
      later: { at: "2026-01-02T03:04:06Z" },
      earlier: { at: "2026-01-02T03:04:04Z" },
      off: { trigger: { kind: "unlabel", label: "magis" } },
    };
    for (const [at, kind] of kinds.entries())
      await running.engine.receive({ ...delivery(`d${at}`, 1), ...bodies[kind], digest: kind });
    await ended(running, `d${kinds.length - 1}`);
    expect(asked).toEqual(expected);
  });

  it("says of an equal body that it came before, and takes none after an hour", async () => {
    const admitted: (boolean | undefined)[] = [];
    const running = await start({
      admit: async ({ again }) => {
        admitted.push(again);
        return undefined;
      },
    });
    const send = (id: string, digest: string) => running.engine.receive({ ...delivery(id, 1), digest });
    for (const [id, digest] of [
      ["d1", "a"],
      ["d2", "b"],
      ["d3", "a"],
    ] as const)
      await send(id, digest);
    await ended(running, "d3");
    expect(admitted).toEqual([undefined, undefined, true]);
    await running.database.pool.query("UPDATE magis.delivery_digest SET at = now() - interval '2 hours'");
    expect(await send("d4", "b")).toBe("known");
  });

  it.each([
    ["a webhook, then a look", ["d1", "look-comment-5"]],
    ["a look, then its webhook", ["look-comment-5", "d1"]],
  ])("ignores a known event: %s", async (_, ids) => {
    const running = await start();
    const comment = (id: string) => ({
      ...delivery(id, 1),
      digest: id === "d1" ? "a".repeat(64) : undefined,
      event: "comment-5",
    });
    const outcomes: string[] = [];
    for (const id of ids) outcomes.push(await running.engine.receive(comment(id)));
    expect(outcomes).toEqual(["recorded", "known"]);
    // Another comment is another event.
    expect(await running.engine.receive({ ...delivery("d2", 1), event: "comment-6" })).toBe("recorded");
  });

  it("forgets bodies only when the watch can no longer find them again", async () => {
    const first = await start({}, { retentionDays: 30 });
    const sql =
      "INSERT INTO magis.delivery_digest (digest, delivery, at) SELECT d, d, now() - d::int * interval '1 day' FROM unnest($1::text[]) d";
    await first.database.pool.query(sql, [["31", "89", "91"]]);
    await stop(first);
    const { database } = await start({}, { retentionDays: 30 });
    const left = async () =>
      (await database.pool.query<{ digest: string }>("SELECT digest FROM magis.delivery_digest")).rows.map(
        ({ digest }) => digest,
      );
    await until(async () => (await left()).length === 2, "the old digest to be deleted");
    expect(await left()).toEqual(["31", "89"]);
  });

  it("keeps nothing of a delivery that does not concern the bot", async () => {
    const admitted: string[] = [];
    const running = await start({
      concerns: async ({ issue }) => issue !== 1,
      admit: async ({ id }) => {
        admitted.push(id);
        return undefined;
      },
    });
    const signed = (issue: number) => ({ ...delivery(`d${issue}`, issue), digest: String(issue).repeat(64) });
    expect(await running.engine.receive(signed(1))).toBe("ignored");
    expect(await running.engine.receive(signed(2))).toBe("recorded");
    await until(() => admitted.length > 0, "the other delivery to be admitted");
    const { rows } = await running.database.pool.query(
      "SELECT delivery AS id FROM magis.delivery_digest UNION SELECT id FROM magis.work",
    );
    expect(rows).toEqual([{ id: "d2" }]);
    expect(admitted).toEqual(["d2"]);
  });

  it("asks for another delivery when nobody can say whether it concerns the bot", async () => {
    const running = await start({ concerns: () => Promise.reject(new Error("no connection")) });
    await expect(running.engine.receive(delivery("d1", 1))).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
  });

  it("admits one for each pull request that a push concerns, once", async () => {
    const admitted: string[] = [];
    const running = await start({
      admit: async ({ id }) => {
        admitted.push(id);
        return id === "push" ? { deliver: [delivery("base-1", 1), delivery("base-2", 2)] } : undefined;
      },
    });
    await running.engine.receive(delivery("base-1", 1));
    await ended(running, "base-1");
    await running.engine.receive(delivery("push", 0));
    await ended(running, "base-2");
    expect(admitted).toEqual(["base-1", "push", "base-2"]);
  });

  it("goes on after a delivery that cannot be admitted and a run that throws", async () => {
    const running = await start({
      admit: async (received) => {
        if (received.issue === 1) throw new MagisError("HOST_REFUSED", "Not for us.");
        return { start: requestOf(received) };
      },
      resolve: async (request) => {
        if (request.issue === 2) throw new Error("a bug");
        return DONE;
      },
    });
    for (const issue of [1, 2, 3]) await running.engine.receive(delivery(`d${issue}`, issue));
    await ended(running, "d1", "ERROR");
    await ended(running, "Owner/repo#2@d2", "ERROR");
    await ended(running, "Owner/repo#3@d3");
    const errors = log.lines.filter(({ level }) => level === "error").map(({ message }) => message);
    expect(errors.join()).toContain("Not for us.");
    expect(errors.join()).toContain("a bug");
  });
});
