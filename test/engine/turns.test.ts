import { describe, expect, it } from "@jest/globals";
import { createTurnBook, placeOf } from "../../src/engine/turns.ts";
import { MagisError } from "../../src/model/error.ts";
import type { Queued } from "../../src/model/run-state.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { A_RUN, accountsWith, delivery, until } from "./in-process.ts";

describe("updates of waiting issues", () => {
  /** A machine's book, with a clock that the test sets. */
  const openBook = () => {
    let now = 0;
    const book = createTurnBook(60_000, () => now);
    const due = (at: number, ...waiting: readonly (readonly [string, number])[]) => {
      now = at;
      return book.due(waiting.map(([id, ahead]) => ({ id, ahead }))).map(({ id, ahead }) => `${id}${ahead}`);
    };
    return { book, due };
  };

  it("come once a minute for each, and only when its place changed", () => {
    const { due } = openBook();
    expect(due(0, ["a", 1], ["b", 2])).toEqual([]);
    expect(due(59_999, ["a", 0], ["b", 1])).toEqual([]);
    expect(due(60_000, ["a", 0], ["b", 1])).toEqual(["a0", "b1"]);
    expect(due(119_999, ["b", 0])).toEqual([]);
    expect(due(120_000, ["b", 1])).toEqual([]);
    expect(due(500_000, ["b", 0])).toEqual(["b0"]);
    expect(due(5_000_000, ["b", 0])).toEqual([]);
  });

  it("come when a limit begins to hold a run back, and when it holds it no longer", () => {
    let now = 0;
    const book = createTurnBook(60_000, () => now);
    const since = "2026-01-01T10:30:00.000Z";
    const held = { by: "budget", since, until: "2026-01-02T00:00:00.000Z" } as const;
    const due = (at: number, place: Queued) => {
      now = at;
      return book.due([{ id: "a", ...place }]).length;
    };
    due(0, { ahead: 0 });
    expect(due(60_000, { ahead: 0 })).toBe(1);
    expect(due(120_000, { ahead: 0, held })).toBe(1);
    expect(due(180_000, { ahead: 0, held: { ...held, since: "2026-01-01T11:00:00.000Z" } })).toBe(0);
    expect(due(180_000, { ahead: 0 })).toBe(1);
  });

  it("come twenty a minute in all, first to the longest without one", () => {
    const { due } = openBook();
    const waiting = (change: number) => Array.from({ length: 50 }, (_, at) => [`r${at}-`, at + change] as const);
    due(0, ...waiting(0));
    const reported = [60_000, 80_000, 120_000, 180_000, 240_000].map((at) => due(at, ...waiting(at / 60_000)));
    expect(reported.map(({ length }) => length)).toEqual([20, 0, 20, 20, 20]);
    const runs = reported.flat().map((one) => one.replace(/-.*/, ""));
    expect(new Set(runs.slice(0, 50)).size).toBe(50);
    expect(runs.slice(50)).toEqual(runs.slice(0, 30));
  });

  it("are tried again after the pause when they failed", () => {
    const { book, due } = openBook();
    due(0, ["a", 1]);
    expect(due(60_000, ["a", 1])).toEqual(["a1"]);
    book.failed("a");
    expect(due(119_000, ["a", 1])).toEqual([]);
    expect(due(120_000, ["a", 1])).toEqual(["a1"]);
    expect(due(180_000, ["a", 1])).toEqual([]);
  });
});

describe("runs that wait for their turn", () => {
  const { start, stop, ended, log } = engineHarness();

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
        async resolve({ delivery: id }: { readonly delivery: string }) {
          begun.push(id);
          await new Promise<void>((resolve) => ends.set(id, resolve));
          return DONE;
        },
        async waits({ delivery: id }: { readonly delivery: string }, { ahead }: Queued, isNew: boolean) {
          reported.push(`${id} ${ahead} ${isNew ? "new" : "corrected"}`);
        },
      },
    };
  }

  it("report their place when they arrive, and again when it changes", async () => {
    const { reported, begun, end, handlers } = oneByOne();
    const { engine } = await start(handlers, { turnMs: 50 });
    const ids = ["d1", "d2", "d3", "d4"];
    await Promise.all(ids.map((id, at) => engine.receive(delivery(id, at + 1))));
    await engine.receive(delivery("other", 9, "elsewhere"));
    await until(() => reported.filter((one) => one.endsWith("new")).length === 3, `three to wait: ${reported}`);
    await until(() => begun.length === 2, "what waits for nobody to begin");
    const first = reported.filter((one) => one.endsWith("new")).map((one) => one.split(" ")[1]);
    expect(first.sort()).toEqual(["1", "2", "3"]);
    const [working = ""] = begun.filter((id) => id !== "other");
    expect(reported).not.toContainEqual(expect.stringMatching(`^(${working}|other) . new`));
    end(working);
    const corrected = [1, 2].map((ahead) => {
      const id = reported.find((one) => one.endsWith(`${ahead + 1} new`))?.split(" ")[0];
      return `${id} ${ahead} corrected`;
    });
    await until(() => corrected.every((one) => reported.includes(one)), `${corrected} to be reported`);
    await until(() => begun.length === 3, "the next to begin");
    for (const id of begun) end(id);
  });

  it.each([
    ["the machine", { concurrency: 2 }, ["d3 0 new"]],
    ["all machines together", { concurrency: 4, concurrencyOfAll: 2 }, ["d3 0 new"]],
    ["nothing, as long as there are places", { concurrency: 3 }, []],
  ])("report that they wait for a place of %s", async (_name, places, expected) => {
    const { reported, begun, end, handlers } = oneByOne();
    const running = await start(handlers, places);
    for (const [at, id] of ["d1", "d2"].entries()) {
      await running.engine.receive(delivery(id, 1, `shop-${at}`));
      await until(() => begun.includes(id), `${id} to begin`);
    }
    await running.engine.receive(delivery("d3", 1, "shop-3"));
    await ended(running, "d3");
    expect(reported).toEqual(expected);
    end("d1");
    await until(() => begun.length === 3, "the third to begin");
    for (const id of begun) end(id);
    await ended(running, "Owner/shop-3#1@d3");
  });

  it("report that a limit holds them back, before they may begin", async () => {
    const { begun, end, handlers } = oneByOne();
    const places: (readonly [string, Queued, boolean])[] = [];
    const waits = async ({ delivery: id }: { readonly delivery: string }, place: Queued, isNew: boolean) =>
      void places.push([id, place, isNew]);
    const accounts = accountsWith([{ scope: "bot", period: "day", most: 1.5 * A_RUN }]);
    const running = await start({ ...handlers, waits, accounts });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2, "elsewhere"));
    await until(() => places.length === 1, "the second's comment");
    await running.engine.receive(delivery("d3", 3, "elsewhere"));
    const said = "the run waits: what runs at work may still use leaves no room under a limit";
    await until(() => log.lines.some(({ message }) => message === said), "the second to wait");
    await until(() => places.length === 2, "the third's comment");
    const held = { by: "budget", since: expect.any(String), until: expect.any(String) };
    expect(places).toEqual([
      ["d2", { ahead: 0, held }, true],
      ["d3", { ahead: 1, held }, true],
    ]);
    const waiting = async () => (await placeOf(running.database.pool, "Owner/elsewhere#3@d3")).held;
    await until(async () => (await waiting()) !== undefined, "the third to be held back");
    end("d1");
    await until(() => begun.length === 2, "the second to begin");
    expect(await waiting()).toBeUndefined();
    end("d2");
    await until(() => begun.length === 3, "the third to begin");
    end("d3");
    await ended(running, "Owner/elsewhere#3@d3");
  });

  it("do not begin before their comment says that they wait, even when it is their turn", async () => {
    const { begun, end, handlers } = oneByOne();
    let finishComment = (): void => undefined;
    let isCommenting = false;
    const waits = () => {
      isCommenting = true;
      return new Promise<void>((resolve) => {
        finishComment = resolve;
      });
    };
    const running = await start({ ...handlers, waits });
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
    for (const id of begun) end(id);
    await ended(running, "Owner/repo#2@d2");
  });

  it("get their comment from the next start after a crash", async () => {
    const { reported, begun, handlers } = oneByOne();
    let isCommenting = false;
    const waits = () => {
      isCommenting = true;
      return new Promise<void>(() => undefined);
    };
    const first = await start({ ...handlers, waits });
    await first.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await first.engine.receive(delivery("d2", 2));
    await until(() => isCommenting, "the second's comment");
    await stop(first, 500);
    const second = await start(handlers);
    await until(() => reported.length === 1, "the second's comment again");
    expect(reported).toEqual(["d2 1 new"]);
    await ended(second, "d2");
  });

  it("still wait and run when the comment cannot be written", async () => {
    const { begun, end, handlers } = oneByOne();
    const waits = async () => {
      throw new MagisError("HOST_UNREACHABLE", "GitHub is away.");
    };
    const running = await start({ ...handlers, waits });
    await running.engine.receive(delivery("d1", 1));
    await until(() => begun.length === 1, "the first to begin");
    await running.engine.receive(delivery("d2", 2));
    await ended(running, "d2");
    expect(log.lines.map(({ message }) => message)).toContain("could not report that the run waits for its turn");
    end("d1");
    await until(() => begun.length === 2, "the second to begin");
    end("d2");
    await ended(running, "Owner/repo#2@d2");
  });
});
