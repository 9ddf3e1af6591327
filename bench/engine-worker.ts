// One measurement in a process of its own: node engine-worker.js CHECKOUT, which has been built. Prints a JSON line.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Delivery, RunRequest } from "../src/data/run-request.ts";
import { engineHandlers } from "../test/fakes/engine-handlers.ts";
import type { EngineMeasure } from "./lib/engine-measure.ts";
import { median } from "./lib/median.ts";

const SINGLE = 20;
const TOGETHER = 100;
const REPOSITORIES = 8;
const STEPS = 5;

const checkout = process.argv[2] ?? ".";
const load = <T>(path: string) => import(pathToFileURL(join(checkout, "dist", path)).href) as Promise<T>;
const { openDatabase } = await load<typeof import("../src/queue/database/open-database.ts")>(
  "queue/database/open-database.js",
);
const { startEngine } = await load<typeof import("../src/queue/start-engine.ts")>("queue/start-engine.js");

interface Moment {
  reached: Promise<number>;
  reach(): void;
}

/** When something happened to a delivery's run, for whoever waits for it. */
function moments(): (id: string) => Moment {
  const known = new Map<string, Moment>();
  return (id) => {
    const one = known.get(id) ?? moment();
    known.set(id, one);
    return one;
  };
}

function moment(): Moment {
  let reach: () => void = () => undefined;
  const reached = new Promise<number>((resolve) => {
    reach = () => resolve(performance.now());
  });
  return { reached, reach };
}

const begun = moments();
const ended = moments();
const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };

function requestOf({ id, issue, repository, trigger, actor, at }: Delivery): RunRequest {
  const key = `${repository.owner}/${repository.name}#${issue}@${id}`;
  const work = { kind: "resolve", gate: "none" } as const;
  return { id: key, root: key, work, repository, issue, trigger, actor, delivery: id, requestedAt: at, grants: [] };
}

function deliveryOf(id: string, issue: number, name: string): Delivery {
  return {
    id,
    issue,
    repository: { owner: "owner", name, installationId: 7 },
    actor: "maintainer",
    actorIsBot: false,
    trigger: { kind: "label", label: "magis" },
    at: "2026-01-02T03:04:05Z",
  };
}

const dataDir = await mkdtemp(join(tmpdir(), "magis-bench-"));
const database = await openDatabase({ dataDir, log });
const engine = await startEngine({
  database,
  concurrency: 4,
  version: "1",
  retentionDays: 30,
  log,
  handlers: engineHandlers({
    admit: async (delivery) => ({ start: requestOf(delivery) }),
    resolve: async ({ delivery }, step) => {
      begun(delivery).reach();
      for (let at = 0; at < STEPS; at++) await step(`step-${at}`, async () => at);
      ended(delivery).reach();
      return { kind: "nothing-to-change", reason: "a bench" };
    },
  }),
});

const answered: number[] = [];
const began: number[] = [];
for (let at = 0; at < SINGLE; at++) {
  const from = performance.now();
  await engine.receive(deliveryOf(`single-${at}`, at + 1, "one"));
  answered.push(performance.now() - from);
  began.push((await begun(`single-${at}`).reached) - from);
  await ended(`single-${at}`).reached;
}

const from = performance.now();
const before = process.cpuUsage();
const ids = Array.from({ length: TOGETHER }, (_, at) => `together-${at}`);
for (const [at, id] of ids.entries()) await engine.receive(deliveryOf(id, 1_000 + at, `many-${at % REPOSITORIES}`));
await Promise.all(ids.map((id) => ended(id).reached));
const { user, system } = process.cpuUsage(before);
const measure: EngineMeasure = {
  answeredMs: median(answered),
  beganMs: median(began),
  togetherMs: performance.now() - from,
  computingMs: (user + system) / 1_000,
};
await engine.stop(3_000);
await engine.gone;
await database.close();
await rm(dataDir, { recursive: true, force: true });
console.log(JSON.stringify(measure));
