import { describe, expect, it } from "@jest/globals";
import { hasFreeBytes } from "../../src/queue/database/data-directory.ts";
import { engineHarness } from "./engine-harness.ts";

describe("an engine", () => {
  const harness = engineHarness();

  it("is not ready while its disk is full, but is when there is room again", async () => {
    const { engine, database } = await harness.start();
    const { hasRoom } = database;
    expect(await engine.ready()).toBe(true);
    database.hasRoom = async () => false;
    expect(await engine.ready()).toBe(false);
    database.hasRoom = hasRoom;
    expect(await engine.ready()).toBe(true);
  });

  it("is not ready while its database answers but refuses writes", async () => {
    const { engine, database } = await harness.start();
    await database.pool.query("ALTER TABLE magis.executor ADD CONSTRAINT full_disk CHECK (id = '') NOT VALID");
    try {
      expect(await engine.ready()).toBe(false);
    } finally {
      await database.pool.query("ALTER TABLE magis.executor DROP CONSTRAINT full_disk");
    }
    expect(await engine.ready()).toBe(true);
  });

  it("is not ready while its database is stuck, which it does not ask at every probe, and is when that recovers", async () => {
    const { engine, database } = await harness.start();
    const { pool } = database;
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const before = pool.waitingCount;
    const answers = await Promise.all(Array.from({ length: 50 }, () => engine.ready()));
    const waiting = pool.waitingCount - before;
    for (const client of held) client.release();
    expect(new Set(answers)).toEqual(new Set([false]));
    // The heartbeat and the watch wait as well.
    expect(waiting).toBeLessThan(20);
    expect(await engine.ready()).toBe(true);
  });
});

describe("free space on a disk", () => {
  it("is measured, and assumed when it cannot be measured", async () => {
    expect(await hasFreeBytes("/", 1)).toBe(true);
    expect(await hasFreeBytes("/", Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(await hasFreeBytes("/nonexistent/folder", 1)).toBe(true);
  });
});
