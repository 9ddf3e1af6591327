import path from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { createChecksVerifier } from "../checks/checks-verifier.ts";
import { createSourceParser } from "../code/tree-sitter/source-parser.ts";
import type { Log } from "../data/log.ts";
import { OWN_FOLDER } from "../data/own-files.ts";
import type { Traces } from "../data/traces.ts";
import { createOpenRepository } from "../git/open-repository.ts";
import { createOpenCodeHost } from "../github/app-host.ts";
import type { OpenCodeHost } from "../github/code-host.ts";
import { createPulse } from "../github/pulse.ts";
import { createUploads } from "../github/uploads.ts";
import { loadPrompts } from "../models/prompt-library.ts";
import { createEvolutionMemory } from "../queue/database/evolution-memory.ts";
import { createLedger } from "../queue/database/ledger.ts";
import { createMaintainerNotes } from "../queue/database/maintainer-notes.ts";
import { openDatabase } from "../queue/database/open-database.ts";
import { createRunArchive, createRunStore } from "../queue/database/run-store.ts";
import type { Ledger } from "../queue/ledger-port.ts";
import { presentName } from "../queue/repository-names.ts";
import { startEngine } from "../queue/start-engine.ts";
import { placeOf } from "../queue/turns.ts";
import { findUnadmitted, findUnfinished } from "../queue/work-queue.ts";
import type { EvolutionMemory } from "../run/evolution-memory.ts";
import type { RunDependencies } from "../run/open-run.ts";
import { createTokenCaches } from "../search/token-cache.ts";
import type { Config } from "../settings/environment/config.ts";
import { limitsBelowARun } from "../settings/environment/limits-below-a-run.ts";
import { operatorLimits, operatorSettings } from "../settings/environment/operator.ts";
import type { EnvFile } from "../settings/environment/own-env-file.ts";
import { type Environment, readConfig } from "../settings/environment/read-config.ts";
import { createAdmission, createConcern } from "../webhooks/admission/admit.ts";
import type { AdmissionDependencies, RunQueue } from "../webhooks/admission/dependencies.ts";
import { createPullPoll } from "../webhooks/admission/poll-pull.ts";
import { createPullOutcome } from "../webhooks/admission/pull-outcome.ts";
import { createSettingsReader } from "../webhooks/admission/settings.ts";
import { createStaleDraftCloser } from "../webhooks/admission/stale-draft.ts";
import { type AppParts, createApp } from "../webhooks/app.ts";
import { type ServerParts, startServer, takeFromChannel } from "../webhooks/server/start-server.ts";
import { createRunHandlers, type RunHandlers } from "../workflow/perform-run.ts";
import { createAccounts } from "../workflow/run-accounts.ts";
import { openAuditLog, withAudit } from "./open-audit-log.ts";
import { createPageOf, openDashboard, withPages } from "./open-dashboard.ts";
import { firstLine, type LogTarget, openLog } from "./open-log.ts";
import { openModel } from "./open-model.ts";
import { openTraces } from "./open-traces.ts";
import { createAnswerer } from "./requests.ts";
import { serveMetrics } from "./serve-metrics.ts";

/**
 * Raise it when the order of a run's steps changes, or what they keep or ask: unfinished runs then begin again, and
 * find their paid calls.
 */
const WORKFLOW_VERSION = "4";

/** A server trusts the `.env` of its working directory. */
const OWN_ENV_FILE: EnvFile = { path: ".env", isOwn: true };

const MEMORY_VERSIONS = 20_000;

/** From SIGTERM to exit, well within the ten seconds that a service manager gives. */
const STOP_MS = 6_000;

const CLOSE_MS = 1_000;

const MS_PER_MINUTE = 60_000;

const PROMPTS = path.join(OWN_FOLDER, "prompts");

export interface RunningBot {
  port: number;
  /** Accepts nothing more, suspends running work until the next start, and closes everything. Logs `why`. */
  stop(why: string): Promise<void>;
  /** Resolves when a stop is complete, and another bot may start in this process. */
  gone: Promise<void>;
}

/**
 * Opens everything that the bot needs, and listens. Takes the configuration from `environment` and `.env`, and logs to
 * `target`. Only one per process at a time, because of the engine. Throws CONFIGURATION_INVALID, DATA_DIRECTORY_IN_USE,
 * DATABASE_UNAVAILABLE.
 */
export async function startBot(environment: Environment, target?: LogTarget): Promise<RunningBot> {
  const unknown: string[] = [];
  const config = readConfig(OWN_ENV_FILE, environment, (sentence) => unknown.push(sentence));
  const { log, traces } = await openLogAndTraces(config, target);
  for (const sentence of [...unknown, ...limitsBelowARun(config)]) log.warn({}, sentence);
  const prompts = await loadPrompts(PROMPTS);
  const audit = openAuditLog(config.log.audit, log);
  log.info({}, "opening the database");
  const database = await openDatabase({ ...config.database, log });
  const served = await serveMetrics(config.metrics, { models: config.model.prices, pool: database.pool, log });
  const metrics = served?.metrics;
  const { store, memory, ledger, notes, runs: archive } = openStores(database.pool, log);
  const pulse = createPulse();
  const openCodeHost = createOpenCodeHost({ ...config.github, log, audit, metrics, traces, pulse });
  database.serve(createAnswerer({ memory, runs: archive, ledger, backUp: database.backUp, log }));

  const shared = { openCodeHost, store, log, budget: config.budget, limits: config.limits };
  const deciding = {
    ...shared,
    ...config.trigger,
    notes,
    audit,
    queue: runQueue(database.pool),
    readSettings: createSettingsReader(operatorLimits(config)),
  };
  const runs = openRuns(config, {
    ...shared,
    metrics,
    traces,
    openRepository: withAudit(createOpenRepository(config.clone, log), audit),
    memory,
    model: await openModel(config.model, log),
    prompts,
  });
  const { concurrency, concurrencyOfAll } = config.engine;
  log.info({ concurrency, concurrencyOfAll }, "taking up what is unfinished");
  const engine = await startEngine({
    database,
    handlers: {
      ...admissionOf(deciding, config),
      accounts: {
        ...accountsOf({ ...shared, prompts }, ledger),
        pullEnded: (state) => metrics?.pullEnded(state),
      },
      ...runs,
    },
    ...config.engine,
    version: WORKFLOW_VERSION,
    log,
  });
  const ready = async () => !pulse.standsStill() && (await engine.ready());
  const forget = forgetWith(database.pool, memory, ledger);
  const receivers = { receive: engine.receive, withdraw: engine.withdraw, forget, ready };
  const doors = await openDoors(config, { ...receivers, pool: database.pool, metrics, log });

  return {
    port: doors.port,
    gone: engine.gone,
    async stop(why) {
      log.info({ signal: why }, "stopping: running work is suspended and goes on at the next start");
      await doors.close();
      await served?.close();
      await engine.stop(STOP_MS);
      await database.close();
      await traces?.close();
    },
  };
}

/** The log, whose lines carry the ids of the traces; its first line is written. */
async function openLogAndTraces(config: Config, target: LogTarget | undefined) {
  const opened: { traces?: Traces | undefined } = {};
  const log = await openLog(config.log.level, target, () => opened.traces?.active() ?? {});
  opened.traces = await openTraces(config, log);
  log.info(...firstLine(config));
  return { log, traces: opened.traces };
}

type Receivers = Pick<AppParts, "receive" | "forget" | "withdraw"> & Pick<ServerParts, "ready" | "metrics" | "log">;

/** Opens what the world reaches the bot by: its web server, its dashboard, and a channel of webhooks. */
async function openDoors(
  config: Config,
  { receive, forget, withdraw, ready, pool, metrics, log }: Receivers & { pool: Pool },
) {
  const dashboard = await openDashboard(config, { pool, log });
  const server = await startServer({
    app: createApp({ receive, forget, withdraw, log }),
    dashboard: dashboard?.listener,
    ready,
    metrics,
    log,
    github: config.github,
    server: config.server,
  });
  const channel = await openChannel(config.server, server.port, log);
  return {
    port: server.port,
    async close() {
      if (channel) await channel.stop();
      await dashboard?.close();
      await server.close(CLOSE_MS);
    },
  };
}

/** Takes webhooks from a channel, if one is set. */
async function openChannel({ webhookProxyUrl, webhookPath }: Config["server"], port: number, log: Logger) {
  return webhookProxyUrl && (await takeFromChannel(webhookProxyUrl, `http://localhost:${port}${webhookPath}`, log));
}

type FromOutside =
  | "openCodeHost"
  | "store"
  | "log"
  | "budget"
  | "metrics"
  | "traces"
  | "openRepository"
  | "memory"
  | "model";

/** The handlers of runs, which get what they share from outside, and the rest from the configuration. */
function openRuns(config: Config, outside: Pick<RunDependencies, FromOutside | "prompts">): RunHandlers {
  const { log } = outside;
  return createRunHandlers({
    ...outside,
    settings: operatorSettings(config),
    models: config.model.models,
    patience: { graceMs: config.engine.outageMinutes * MS_PER_MINUTE, clock: () => performance.now() },
    uploads: createUploads({ webUrl: config.github.webUrl, log }),
    tokenCache: createTokenCaches(),
    parser: createSourceParser(),
    verifierOf: createChecksVerifier,
  });
}

const runQueue = (pool: Pool): RunQueue => ({
  unfinished: (repository, issue) => findUnfinished(pool, repository, issue),
  place: (run) => placeOf(pool, run),
  unadmitted: (delivery, numbers) => findUnadmitted(pool, delivery, numbers),
});

/** What decides about deliveries, and follows the bot's open pull requests. */
const admissionOf = (deps: AdmissionDependencies, { dashboard }: Config) => ({
  concerns: createConcern(deps.store),
  admit: withPages(createAdmission(deps), createPageOf(dashboard)),
  pollPull: createPullPoll(deps.openCodeHost),
  closeStale: createStaleDraftCloser(deps),
});

const openStores = (pool: Pool, log: Log) => ({
  store: createRunStore(pool, log),
  notes: createMaintainerNotes(pool, log),
  memory: createEvolutionMemory(pool, { maxVersions: MEMORY_VERSIONS, log }),
  ledger: createLedger(pool, log),
  runs: createRunArchive(pool, log),
});

const accountsOf = (shared: Parameters<typeof createAccounts>[0] & { openCodeHost: OpenCodeHost }, ledger: Ledger) => ({
  ...createAccounts(shared),
  emptyForgotten: ledger.emptyForgotten,
  pullOutcome: createPullOutcome(shared.openCodeHost),
});

/** Who removes the app and adds it again must not begin the month's limits anew: this month's entries keep their names. */
const forgetWith =
  (pool: Pool, memory: EvolutionMemory, ledger: Ledger): EvolutionMemory["forget"] =>
  async (given) => {
    const scope = await presentName(pool, given);
    await ledger.forget(scope, "after month");
    return memory.forget(scope);
  };
