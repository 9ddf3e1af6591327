import { appendFileSync } from "node:fs";
import type { MoneyLimit } from "../../src/data/limits.ts";
import type { Log } from "../../src/data/log.ts";
import type { Delivery, RunRequest } from "../../src/data/run-request.ts";
import { PHASES } from "../../src/data/run-state.ts";
import { openDatabase } from "../../src/queue/database/open-database.ts";
import { createRunStore } from "../../src/queue/database/run-store.ts";
import type { EngineHandlers } from "../../src/queue/engine.ts";
import { startEngine } from "../../src/queue/start-engine.ts";
import type { RunStore } from "../../src/run/runs.ts";
import { accountsWith, engineHandlers } from "../fakes/engine-handlers.ts";

/** The parent's options, as JSON in the environment. */
export interface WorkerOptions {
  dataDir: string;
  url?: string;
  /** file in which every call and step is noted */
  notes: string;
  /** `phase-call` to hang in for ever: in all runs, or by issue */
  hangIn?: string | Readonly<Record<number, string>>;
  /** milliseconds that a call takes */
  callMs?: number;
  /** version of the order of steps; "1" when absent */
  version?: string;
  /** US dollars that all runs of a day may cost; each may cost fifteen, and costs twelve */
  dayLimit?: number;
}

const CALLS = 3;
const NO_USAGE = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
const options = JSON.parse(process.env.WORKER_OPTIONS ?? "{}") as WorkerOptions;
/** Notes of the first issue go without its number. */
const noteOf = (issue: number, text: string) =>
  appendFileSync(options.notes, issue === 1 ? `${text}\n` : `${issue}: ${text}\n`);

/** A paid call as the product makes it: look it up, make it, record it. */
async function pay(store: RunStore, { id: runId, issue }: RunRequest, key: string, signal: AbortSignal): Promise<void> {
  if ((await store.recordedCall(runId, key)) !== undefined) return;
  const { hangIn } = options;
  const isHanging = key === (typeof hangIn === "object" ? hangIn[issue] : hangIn);
  noteOf(issue, `begin ${key}`);
  await new Promise<void>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
    if (!isHanging) setTimeout(resolve, options.callMs ?? 20);
  });
  noteOf(issue, `paid ${key}`);
  const answer = { text: key, stop: "end", model: "m", usage: NO_USAGE, money: 1, elapsed: 1 } as const;
  await store.recordCall(runId, { key, promptId: "p", tier: "fast", answer, tokens: 1, money: 1, elapsed: 1 });
}

function handlers(store: RunStore): EngineHandlers {
  const limits: MoneyLimit[] =
    options.dayLimit === undefined ? [] : [{ scope: "bot", period: "day", most: options.dayLimit }];
  return engineHandlers({
    admit: async ({ id, repository, issue, trigger, actor, at }) => {
      const run = `${repository.owner}/${repository.name}#${issue}@${id}`;
      const work = { kind: "resolve", gate: "none" } as const;
      const start = { id: run, root: run, work, repository, issue, trigger, actor, delivery: id, requestedAt: at };
      return { start: { ...start, grants: [] } };
    },
    resolve: async (request, step) => {
      for (const phase of PHASES) {
        await step(phase, async ({ signal }) => {
          for (let call = 1; call <= CALLS; call++) await pay(store, request, `${phase}-${call}`, signal);
          noteOf(request.issue, `done ${phase}`);
        });
      }
      noteOf(request.issue, "resolved");
      return { kind: "nothing-to-change", reason: "a test" };
    },
    accounts: accountsWith(limits, undefined, 15),
  });
}

async function work(): Promise<void> {
  const send = (data: object, message: string) => process.send?.({ log: `${message} ${JSON.stringify(data)}` });
  const log: Log = { info: send, warn: send, error: send };
  const { url, dataDir, version = "1" } = options;
  const database = await openDatabase({ url, dataDir, log });
  const store = createRunStore(database.pool, log);
  const rest = { concurrency: 4, version, times: { heartbeatMs: 300 }, retentionDays: 30 };
  const engine = await startEngine({ database, handlers: handlers(store), log, ...rest });
  process.on("message", (delivery: Delivery) => {
    engine.receive(delivery).then(
      (received) => void process.send?.({ received }),
      (error: unknown) => send({ error: String(error) }, "not received"),
    );
  });
  process.once("SIGTERM", async () => {
    await engine.stop(8_000);
    await database.close();
    process.exit(0);
  });
  process.send?.({ ready: true });
}

work().catch((error: unknown) => {
  const refused = error instanceof Error ? error.message : String(error);
  process.send?.({ refused }, () => process.exit(1));
});
