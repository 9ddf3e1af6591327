import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startCollector } from "../collector/start-collector.ts";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

describe("the metrics", () => {
  let scene: Scene;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  beforeAll(async () => {
    collector = await startCollector();
    scene = await startScene({
      repository: { files: { "a.txt": "a\n" } },
      script: createScript({ files: { "a.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "A" }] }] } } }),
      environment: {
        MAGIS_METRICS_PORT: "0",
        MAGIS_BUDGET_DAY: "50",
        MAGIS_BUDGET_MONTH_PERSON: "20",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
  });
  afterAll(async () => {
    await scene.close();
    await collector.close();
  });

  const address = () => {
    const line = scene.bot().log.find(({ msg }) => msg === "metrics are at /metrics");
    return `127.0.0.1:${line?.port}`;
  };

  it("count runs, phases, money, webhooks and requests, and name nobody and no repository", async () => {
    const issue = await scene.ask("Change a.txt");
    await scene.ended(issue);
    const scrape = async () => (await fetch(`http://${address()}/metrics`)).text();
    // The run's end, and what it spent of a limit, are counted just after its comment shows it.
    const ended = ['magis_runs_total{work="resolve",outcome="published"} 1', 'magis_queue_depth{state="queued"} 0'];
    const spent = /^magis_limit_used_ratio\{scope="bot",period="day"\} 0\.00\d+$/m;
    const text = await scene.world.until(
      async () => {
        const now = await scrape();
        return ended.every((line) => now.includes(line)) && spent.test(now) ? now : undefined;
      },
      { what: "the run and what it spent in the metrics" },
    );
    for (const phase of ["locate", "plan", "code", "publish"])
      expect(text).toContain(`magis_run_duration_seconds_count{phase="${phase}"} 1`);
    expect(text).toMatch(/^magis_run_cost_usd\{role="[\w -]+",model="[\w.-]+"\} 0\.\d+$/m);
    expect(text).toMatch(/^magis_tokens_total\{model="[\w.-]+",kind="input"\} \d+$/m);
    expect(text).toMatch(/^magis_webhooks_total\{event="issues",answer="200"\} \d+$/m);
    expect(text).toMatch(/^magis_github_requests_total\{status="200"\} \d+$/m);
    expect(text).toContain('magis_pull_requests_total{state="opened"} 1');
    expect(text).toContain('magis_limits_near{scope="person",period="month"} 0');
    expect(text).toContain('magis_limits_reached{scope="bot",period="day"} 0');
    expect(text).not.toMatch(/acme|shop|alice|a\.txt/);
    const [pull] = await scene.world.pullRequests();
    await scene.world.person("alice").closePull(pull?.number ?? 0);
    await scene.world.until(async () => (await scrape()).includes('magis_pull_requests_total{state="closed"} 1'), {
      what: "the end of the pull request in the metrics",
    });
  });

  it("count webhooks of events that we do not know together", async () => {
    await fetch(scene.bot().webhookUrl, { method: "POST", headers: { "x-github-event": "made_up" } });
    const text = await (await fetch(`http://${address()}/metrics`)).text();
    expect(text).toContain('magis_webhooks_total{event="other",answer="415"} 1');
    expect((await fetch(`http://${address()}/`)).status).toBe(404);
  });

  it("come with a trace of the run, whose ids the log has, and which holds no words of the issue", async () => {
    const spans = await scene.world.until(
      () => (collector.spans.some(({ name }) => name === "run resolve") ? collector.spans : undefined),
      { what: "the run's trace" },
    );
    const run = spans.find(({ name }) => name === "run resolve");
    const own = spans.filter(({ trace }) => trace === run?.trace);
    expect(run?.attributes).toMatchObject({ "magis.outcome": "published", "magis.work": "resolve" });
    const names = own.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["step start", "phase locate", "phase plan", "phase code"]));
    expect(names.filter((name) => name.startsWith("chat ")).length).toBeGreaterThan(2);
    expect(names).toContain("POST /repos/{owner}/{repo}/pulls");
    const inside = new Set(own.map(({ span }) => span));
    expect(own.filter(({ parent }) => parent !== "" && !inside.has(parent))).toEqual([]);
    const ended = scene.bot().log.find(({ msg }) => msg === "the run ended");
    expect(ended).toMatchObject({ trace_id: run?.trace, span_id: run?.span });
    expect(collector.raw()).not.toMatch(/Change a\.txt|ghs_|sk-ant/);
  });
});
