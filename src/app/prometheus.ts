import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type LimitUse, NEAR } from "../data/limits.ts";
import type { EndedRun, Metrics, RunCounts } from "../data/metrics.ts";
import type { RunResult } from "../data/run-state.ts";

/** What a scrape asks for, and the names that labels may have beside ours. */
export interface PrometheusOptions {
  /** the models with a price; others are counted as `other` */
  models: readonly string[];
  /** the webhook events that the app subscribes to; others are counted as `other` */
  events: readonly string[];
  /** counts the unfinished runs of all machines */
  countRuns: () => Promise<RunCounts>;
  /** how much of each limit of money is used, for all machines */
  limitsInUse: () => Promise<readonly LimitUse[]>;
}

/** Metrics in Prometheus's format. */
export interface Prometheus extends Metrics {
  contentType: string;
  /** Throws when the runs cannot be counted. */
  scrape(): Promise<string>;
}

/** Seconds: phases take from seconds to the longest time of a run. */
const PHASE_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600];

/** Keeps metrics for Prometheus. No label holds a repository or a person. */
export function createPrometheus({ models, events, countRuns, limitsInUse }: PrometheusOptions): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const runs = counter("magis_runs_total", "Runs that ended.", "work", "outcome");
  const cost = counter("magis_run_cost_usd", "US dollars paid for calls of models.", "role", "model");
  const tokens = counter("magis_tokens_total", "Tokens of models.", "model", "kind");
  const stops = counter("magis_budget_stops_total", "Runs that a limit of their budget stopped.", "limit");
  const webhooks = counter("magis_webhooks_total", "Webhooks by GitHub's event and our answer.", "event", "answer");
  const requests = counter("magis_github_requests_total", "Answers of GitHub; 0: none came.", "status");
  const pulls = counter("magis_pull_requests_total", "Pull requests of the bot by what happened to them.", "state");
  const repairs = counter("magis_ci_repairs_total", "Repairs of failing checks.", "outcome");
  const proofs = counter("magis_proof_total", "Fixes by whether checks proved them.", "outcome");
  const durations = new Histogram({
    name: "magis_run_duration_seconds",
    help: "Seconds that a phase took.",
    labelNames: ["phase"],
    buckets: PHASE_BUCKETS,
    registers: [registry],
  });
  const remaining = addRemaining(registry);
  addQueueGauges(registry, countRuns);
  addLimitGauges(registry, limitsInUse);
  const known = (names: readonly string[], name: string) => (names.includes(name) ? name : "other");

  return {
    runEnded(run) {
      const { work, result } = run;
      runs.inc({ work, outcome: result.kind });
      if (result.kind === "budget-reached") stops.inc({ limit: result.limit });
      if (work === "repair") repairs.inc({ outcome: result.kind });
      if (work === "resolve" && result.kind === "published") pulls.inc({ state: "opened" });
      const proof = proofOf(run);
      if (proof !== undefined) proofs.inc({ outcome: proof });
    },
    pullEnded: (state) => pulls.inc({ state }),
    phaseEnded: (phase, seconds) => durations.observe({ phase }, seconds),
    modelCalled({ role, model: name, usage, money }) {
      const model = known(models, name);
      cost.inc({ role, model }, money);
      for (const [kind, count] of Object.entries(usage)) tokens.inc({ model, kind }, count);
    },
    webhookAnswered: (event, status) => webhooks.inc({ event: known(events, event), answer: String(status) }),
    githubAnswered(status, left) {
      requests.inc({ status: String(status) });
      if (left) remaining(left.installation, left.remaining);
    },
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
  };
}

const HOUR_MS = 3_600_000;

/** One series, however many installations there are: of those that asked within the hour, the one with least left. */
function addRemaining(registry: Registry): (installation: number, left: number) => void {
  const heard = new Map<number, { left: number; at: number }>();
  registry.registerMetric(
    new Gauge({
      name: "magis_github_rate_remaining",
      help: "Requests that GitHub still answers in this hour, for the installation with the fewest left.",
      registers: [],
      collect() {
        this.reset();
        for (const [installation, { at }] of heard) if (performance.now() - at > HOUR_MS) heard.delete(installation);
        if (heard.size > 0) this.set([...heard.values()].reduce((least, { left }) => Math.min(least, left), Infinity));
        else this.remove();
      },
    }),
  );
  return (installation, left) => void heard.set(installation, { left, at: performance.now() });
}

/** Counts the runs when somebody asks. */
function addQueueGauges(registry: Registry, countRuns: () => Promise<RunCounts>): void {
  registry.registerMetric(
    new Gauge({
      name: "magis_queue_depth",
      help: "Unfinished runs of all machines: queued, held (by a limit), working, or waiting (for checks).",
      labelNames: ["state"],
      registers: [],
      async collect() {
        for (const [state, count] of Object.entries(await countRuns())) this.set({ state }, count);
      },
    }),
  );
}

/** A scrape collects all gauges at once, and they share one look at the limits. */
function addLimitGauges(registry: Registry, limitsInUse: PrometheusOptions["limitsInUse"]): void {
  let underWay: ReturnType<typeof limitsInUse> | undefined;
  const shared = () => {
    underWay ??= limitsInUse().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const gauge = (name: string, help: string, fill: (own: Gauge, uses: readonly LimitUse[]) => void) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ["scope", "period"],
        registers: [],
        async collect() {
          const uses = await shared();
          this.reset();
          fill(this, uses);
        },
      }),
    );
  const count = (isCounted: (use: LimitUse) => boolean) => (own: Gauge, uses: readonly LimitUse[]) => {
    for (const use of uses) own.inc({ scope: use.scope, period: use.period }, isCounted(use) ? 1 : 0);
  };
  gauge("magis_limit_used_ratio", "Share of the limit of money that is spent; 1 is all of it.", (own, uses) => {
    for (const { scope, period, spent, most } of uses) if (scope === "bot") own.set({ scope, period }, spent / most);
  });
  gauge(
    "magis_limits_near",
    "Limits of money that are spent to four fifths or more.",
    count(({ spent, most }) => spent >= NEAR * most),
  );
  gauge(
    "magis_limits_reached",
    "Limits of money that are spent or keep runs from beginning.",
    count(({ isReached }) => isReached),
  );
}

/** How the proof of a fix ended; undefined where none was tried. */
function proofOf({ work, result }: EndedRun): string | undefined {
  const { proof } = result as Extract<RunResult, { kind: "published" }>;
  if (work !== "resolve" || proof === undefined) return undefined;
  if (proof.proved) return "proved";
  return proof.failed === undefined ? "not proved" : "checks failed";
}
