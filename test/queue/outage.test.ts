import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import { createRunStore } from "../../src/queue/database/run-store.ts";
import type { Database } from "../../src/queue/database.ts";
import type { Engine } from "../../src/queue/engine.ts";
import { startEngine } from "../../src/queue/start-engine.ts";
import { engineHandlers } from "../fakes/engine-handlers.ts";
import { createPostgresDatabase } from "./database/test-databases.ts";
import { delivery, keepingLog, requestOf, statuses, until } from "./in-process.ts";

/** Without a server the tests are listed as skipped. */
const outage = process.env.TEST_DATABASE_URL === undefined ? describe.skip : describe;

// Connecting again takes long on a busy machine.
jest.setTimeout(180_000);

outage("a PostgreSQL server that goes away and comes back (TEST_DATABASE_URL)", () => {
  let server: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let link: BreakableLink;
  let database: Database;
  let engine: Engine;
  const log = keepingLog();

  beforeEach(async () => {
    server = await createPostgresDatabase();
    link = await breakableLink(server.url);
    database = await openDatabase({ url: link.url, dataDir: "", log });
    engine = await startEngine({
      database,
      handlers: engineHandlers({ admit: async (d) => ({ start: requestOf(d) }) }),
      concurrency: 2,
      version: "1",
      retentionDays: 30,
      log,
    });
  });
  afterEach(async () => {
    await engine.stop(3_000);
    await database.close();
    await engine.gone;
    await link.cut();
    await server.drop();
  });

  it("answers deliveries in time, loses no paid answer, and recovers by itself", async () => {
    const store = createRunStore(database.pool, log);
    const usage = { input: 1, cacheWrite: 0, cacheRead: 0, output: 1 };
    const answer = { text: "paid for", stop: "end", model: "m", usage, money: 1, elapsed: 1 } as const;
    expect(await engine.ready()).toBe(true);

    await link.cut();
    const from = Date.now();
    const stored = store.recordCall("r", {
      key: "k",
      promptId: "p",
      tier: "fast",
      answer,
      tokens: 2,
      money: 1,
      elapsed: 1,
    });
    await expect(engine.receive(delivery("d1", 1))).rejects.toMatchObject({ code: "DATABASE_UNAVAILABLE" });
    expect(Date.now() - from).toBeLessThan(30_000);
    expect(await engine.ready()).toBe(false);

    await link.mend();
    await stored;
    expect((await store.recordedCall("r", "k"))?.answer).toEqual(answer);
    await engine.receive(delivery("d1", 1));
    const run = "Owner/repo#1@d1";
    await until(async () => (await statuses(database))[run] === "SUCCESS", "the run to end");
    expect(await engine.ready()).toBe(true);
  });
});

/** A link to a server that can be cut and mended. */
interface BreakableLink {
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a link in front of the server of `target` (a URL with host and port). */
async function breakableLink(target: string): Promise<BreakableLink> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  const listen = (at: number) =>
    new Promise<number>((resolve) => {
      server = createServer((near) => {
        const far = connect(Number(port || 5432), hostname);
        for (const [from, to] of [[near, far] as const, [far, near] as const]) {
          sockets.add(from);
          from.pipe(to);
          from.on("error", () => to.destroy()).on("close", () => to.destroy());
        }
      }).listen(at, "127.0.0.1", () => {
        const address = server?.address();
        resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
      });
    });

  const ownPort = await listen(0);
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(ownPort);
  return {
    url: url.href,
    async cut() {
      const closed = new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await closed;
    },
    async mend() {
      await listen(ownPort);
    },
  };
}
