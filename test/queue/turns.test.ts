import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { Queued } from "../../src/data/run-state.ts";
import { placeOf } from "../../src/queue/turns.ts";
import { A_RUN, accountsWith } from "../fakes/engine-handlers.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { delivery, until } from "./in-process.ts";

describe("runs that wait for their turn", () => {
  const { start, ended, log } = engineHarness();

  /** Handlers whose runs end when the test says so, and the reports about those that wait. */
  function oneByOne() {
    const reported: string[] = [];
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      reported,
      begun,
      end: (id: string) => ends.get(id)?.(),
      handlers: {
        async resolve({ delivery: id }: { delivery: string }) {
          begun.push(id);
          await new Promise<void>((resolve) => ends.set(id, resolve));
          return DONE;
        },
        async waits({ delivery: id }: { delivery: string }, { ahead }: Queued) {
          reported.push(`${id} ${ahead}`);
        },
      },
    };
  }

  it("say nothing when they begin at once", async () => {
    const { reported, begun, end, handlers } = oneByOne();
    const running = await start(handlers);
    const ids = ["d1", "d2", "d3"];
    await Promise.all(ids.map((id) => running.engine.receive(delivery(id, 1, id))));
    await until(() => begun.length === 3, "all to begin");
    for (const id of ids) end(id);
    for (const id of ids) await ended(running, `Owner/${id}#1@${id}`);
    expect(reported).toEqual([]);
  });

  it("report their place, once, and again when it changes", async () => {
    const { reported, begun, end, handlers } = oneByOne();
    const { engine } = await start(handlers, { turnMs: 0 });
    for (const [at, id] of ["d1", "d2", "d3"].entries()) await engine.receive(delivery(id, at + 1));
    await engine.receive(delivery("other", 9, "elsewhere"));
    await until(() => reported.length === 2, `two to wait: ${reported}`);
    await until(() => begun.length === 2, "what waits for nobody to begin");
    const [working = ""] = begun.filter((id) => id !== "other");
    const waiting = ["d1", "d2", "d3"].filter((id) => id !== working);
    expect(reported.map((one) => one.split(" ")[1]).toSorted()).toEqual(["1", "2"]);
    end(working);
    await until(() => begun.length === 3, "the next to begin");
    const last = waiting.find((id) => !begun.includes(id));
    await until(() => reported.includes(`${last} 1`) && reported.includes(`${last} 2`), "the last one's new place");
    expect(reported).toHaveLength(3);
    end(begun.at(-1) ?? "");
    await until(() => begun.length === 4, "the last to begin");
    for (const id of begun) end(id);
  });

  it("report that they wait for a place of the machine", async () => {
    const { reported, begun, end, handlers } = oneByOne();
    const running = await start(handlers, { concurrency: 1 });
    await running.engine.receive(delivery("d1", 1, "shop"));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 1, "elsewhere"));
    await until(() => reported.length === 1, "the second to wait");
    expect(reported).toEqual(["d2 0"]);
    end("d1");
    await until(() => begun.length === 2, "the second to begin");
    end("d2");
    await ended(running, "Owner/elsewhere#1@d2");
  });

  it("report that a limit holds them back", async () => {
    const { begun, end, handlers } = oneByOne();
    const places = new Map<string, Queued>();
    const waits = async ({ delivery: id }: { delivery: string }, place: Queued) => void places.set(id, place);
    const accounts = accountsWith([{ scope: "bot", period: "day", most: 1.5 * A_RUN }]);
    const running = await start({ ...handlers, waits, accounts }, { waitMs: 500 });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2, "elsewhere"));
    await running.engine.receive(delivery("d3", 3, "elsewhere"));
    await until(() => places.size === 2, "both to wait");
    const said = "the run waits: what runs at work may still use leaves no room under a limit";
    expect(log.lines.filter(({ message }) => message === said)).toHaveLength(1);
    const held = { by: "budget", since: expect.any(String), until: expect.any(String) };
    expect([...places.values()].map((place) => place.held)).toEqual([held, held]);
    end("d1");
    await until(() => begun.length === 2, "the next to begin");
    expect((await placeOf(running.database.pool, "Owner/elsewhere#3@d3")).held).toBeUndefined();
    end("d2");
    end("d3");
    await until(() => begun.length === 3, "the last to begin");
    end("d2");
    end("d3");
  });

  it("do not begin while their comment is being written, and no cancel is reported meanwhile", async () => {
    const { begun, end, handlers } = oneByOne();
    let finishComment = (): void => undefined;
    let isCommenting = false;
    const cancelled: boolean[] = [];
    const running = await start({
      ...handlers,
      waits: async () => {
        isCommenting = true;
        await new Promise<void>((resolve) => {
          finishComment = resolve;
        });
        isCommenting = false;
      },
      cancelled: async () => void cancelled.push(isCommenting),
    });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2));
    await until(() => isCommenting, "the second's comment");
    end("d1");
    await ended(running, "Owner/repo#1@d1");
    await running.engine.receive(delivery("d3", 3, "elsewhere"));
    await until(() => begun.length === 2, "a run elsewhere to begin");
    expect(begun).toEqual(["d1", "d3"]);
    finishComment();
    await until(() => begun.length === 3, "the second to begin");
    await running.engine.receive(delivery("d4", 4));
    await until(() => isCommenting, "the fourth's comment");
    await running.engine.receive({ ...delivery("stop", 4), trigger: { kind: "gone", why: "closed" } });
    await ended(running, "Owner/repo#4@d4", "CANCELLED");
    finishComment();
    await until(() => cancelled.length === 1, "the cancel to be reported");
    expect(cancelled).toEqual([false]);
    for (const id of begun) end(id);
  });

  it("begin although the machine that wrote their comment has died", async () => {
    const { begun, end, handlers } = oneByOne();
    let finishComment: (() => void) | undefined;
    const waits = () =>
      new Promise<void>((resolve) => {
        finishComment = resolve;
      });
    const running = await start({ ...handlers, waits });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2));
    await until(() => finishComment !== undefined, "the second's comment");
    await running.database.pool.query("UPDATE magis.work SET claimant = 'dead' WHERE state = 'waiting'");
    end("d1");
    await until(() => begun.length === 2, "the second to begin");
    finishComment?.();
    end("d2");
    await ended(running, "Owner/repo#2@d2");
  });

  it("report their place while another machine still writes that of an earlier one", async () => {
    const { begun, reported, end, handlers } = oneByOne();
    const running = await start(handlers, { waitMs: 500, heartbeatMs: 60_000 });
    const { pool } = running.database;
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2));
    await pool.query("INSERT INTO magis.executor (id, version) VALUES ('zzz', 1)");
    const claim = "UPDATE magis.work SET claimant = $1 WHERE kind = 'resolve' AND state = 'waiting'";
    await until(async () => (await pool.query(claim, ["zzz"])).rowCount === 1, "the second to be queued");
    await running.engine.receive(delivery("d3", 3));
    await until(() => reported.includes("d3 2"), "the third to wait");
    expect(reported).toEqual(["d3 2"]);
    await pool.query("UPDATE magis.work SET claimant = NULL WHERE claimant = 'zzz'");
    for (let at = 1; at <= 3; at++) {
      await until(() => begun.length === at, "the next to begin");
      end(begun.at(-1) ?? "");
    }
    await ended(running, "Owner/repo#3@d3");
  });

  it("still wait and run when the comment cannot be written, which is tried again", async () => {
    const { begun, end, handlers } = oneByOne();
    let tries = 0;
    const waits = async () => {
      tries += 1;
      throw new MagisError("HOST_UNREACHABLE", "GitHub is away.");
    };
    const running = await start({ ...handlers, waits }, { turnMs: 0 });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2));
    await until(() => tries > 1, "a second try");
    end("d1");
    await until(() => begun.length === 2, "the second to begin");
    end("d2");
    await ended(running, "Owner/repo#2@d2");
  });
});
