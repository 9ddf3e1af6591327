import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { createRunArchive, createRunStore } from "../../src/adapters/database/run-store.ts";
import { findUnfinished } from "../../src/engine/runs.ts";
import type { Delivery, RunRequest } from "../../src/model/run-request.ts";
import { QUIET } from "../adapters/database/test-databases.ts";
import { projectRoot } from "../world/project-root.ts";
import { DONE, engineHarness } from "./engine-harness.ts";
import { until } from "./in-process.ts";

interface Kept {
  readonly deliveries: readonly Delivery[];
  readonly requests: readonly RunRequest[];
}

/** What the version before has kept of a plan that was asked for, changed and approved, and of a comment on its change. */
async function former(): Promise<Kept> {
  const file = join(projectRoot(), "test", "model", "version-1", "requests.json");
  return JSON.parse(await readFile(file, "utf8")) as Kept;
}

const never = () => new Promise<never>(() => undefined);

const KINDS: Readonly<Record<string, string>> = { order: "other-command", remark: "comment" };

/** What the version before called words is a hint now, and two kinds of triggers have other names. */
function asItIsNow(request: RunRequest): object {
  const renamed = ({ words, ...rest }: Record<string, unknown>) =>
    words === undefined ? rest : { ...rest, hint: words };
  const { trigger } = request;
  const command = "command" in trigger ? { command: renamed({ ...trigger.command }) } : {};
  return { ...renamed({ ...request }), trigger: { ...trigger, ...command, kind: KINDS[trigger.kind] ?? trigger.kind } };
}

describe("what the version before has left in the database", () => {
  const { start, stop, ended } = engineHarness();

  it("is a delivery that is admitted by what triggered it", async () => {
    const [, remark] = (await former()).deliveries;
    if (!remark) throw new Error("no delivery is kept");
    let begun = false;
    const first = await start({
      admit: () => {
        begun = true;
        return never();
      },
    });
    await first.engine.receive(remark);
    await until(() => begun, "the delivery to be kept");
    await stop(first, 500);

    const admitted: Delivery[] = [];
    const second = await start(
      {
        admit: async (delivery) => {
          admitted.push(delivery);
          return undefined;
        },
      },
      { version: "2" },
    );
    await ended(second, remark.id);
    const { trigger } = remark;
    expect(admitted).toEqual([{ ...remark, trigger: { ...trigger, kind: "comment" } }]);
  });

  it("is a request that is found and carried out by what triggered it", async () => {
    const { deliveries, requests } = await former();
    const [delivery, request] = [deliveries[0], requests[0]];
    if (!delivery || !request) throw new Error("no request is kept");
    let begun = false;
    const first = await start({
      admit: async () => ({ start: request }),
      resolve: () => {
        begun = true;
        return never();
      },
    });
    await first.engine.receive(delivery);
    await until(() => begun, "the run");
    await stop(first, 500);

    const current = asItIsNow(request);
    const carriedOut: RunRequest[] = [];
    const unfinished: RunRequest[] = [];
    const second = await start(
      {
        resolve: async (asked) => {
          carriedOut.push(asked);
          unfinished.push(...(await findUnfinished(request.repository, request.issue)));
          return DONE;
        },
      },
      { version: "2" },
    );
    await ended(second, request.id);
    expect(carriedOut).toEqual([current]);
    expect(unfinished).toEqual([current]);
  });

  it("is a note beside a run, which commands go by and show tells of", async () => {
    const { database } = await start({});
    const { requests } = await former();
    const sql = "INSERT INTO magis.run (id, repository, issue, request) VALUES ($1, 'acme/shop', $2, $3)";
    for (const request of requests)
      await database.pool.query(sql, [request.id, request.issue, JSON.stringify(request)]);
    const store = createRunStore(database.pool, QUIET);
    const archive = createRunArchive(database.pool, QUIET);
    for (const issue of [1, 2]) {
      const asked = requests.findLast((one) => one.issue === issue);
      if (!asked) throw new Error("no request is kept");
      const latest = await store.latestRun({ owner: "acme", name: "shop" }, issue);
      expect(latest?.request).toEqual(asItIsNow(asked));
      expect(await archive.latestReport({ owner: "acme", name: "shop" }, issue)).toMatchObject({ id: asked.id });
    }
  });
});
