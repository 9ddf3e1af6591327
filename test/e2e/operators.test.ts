import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { CostLine, LedgerStats } from "../../src/queue/ledger-port.ts";
import { copyStarted } from "../bot/copy-database.ts";
import { startCollector } from "../collector/start-collector.ts";
import { startMagisHere } from "../commands/start-magis.ts";
import { createBrowser } from "../dashboard/create-browser.ts";
import { reviewScript } from "./review-script.ts";
import { type ReviewScene, startReviewScene } from "./start-review-scene.ts";
import type { Ending } from "./start-scene.ts";

/** Nothing is there: a test brings what goes to it to the bot. */
const PUBLIC = "https://magis.test";

const TITLE = "What <b>it</b> cost: docs/a.txt and docs/b.txt";

/** The title on a page. */
const SHOWN = "What &lt;b&gt;it&lt;/b&gt; cost";

describe("what the bot did and cost", () => {
  let scene: ReviewScene;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let dataDir: string;
  /** the first run's */
  let ending: Ending;

  beforeAll(async () => {
    collector = await startCollector();
    dataDir = await mkdtemp(join(tmpdir(), "magis-ledger-"));
    copyStarted(dataDir);
    const revisions = [{ when: "Spell it out", edits: { 2: "A TWO" }, reply: "Spelt out now." }];
    scene = await startReviewScene(reviewScript({ revisions }), {
      more: [{ name: "vault" }],
      environment: {
        MAGIS_DATA_DIR: dataDir,
        MAGIS_DRAFT: "false",
        MAGIS_METRICS_PORT: "0",
        MAGIS_BUDGET_DAY: "50",
        MAGIS_BUDGET_MONTH_PERSON: "20",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        MAGIS_DASHBOARD: "github",
        MAGIS_URL: PUBLIC,
        MAGIS_OPERATORS: "rita",
      },
    });
    for (const name of ["alice", "rita"]) scene.world.setRole(name, "none", "acme/vault");
    scene.world.setRole("tom", "write", "acme/vault");
  });
  afterAll(async () => {
    await scene.close();
    await collector.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const address = () => {
    const line = scene.bot().log.find(({ msg }) => msg === "metrics are at /metrics");
    return `127.0.0.1:${line?.port}`;
  };

  const scrape = async () => (await fetch(`http://${address()}/metrics`)).text();

  it("is in the metrics: runs, phases, money, webhooks and requests, which name nobody and no repository", async () => {
    ending = await scene.ended(await scene.ask(TITLE));
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
  });

  it("has webhooks of events that nobody knows counted together", async () => {
    await fetch(scene.bot().webhookUrl, { method: "POST", headers: { "x-github-event": "made_up" } });
    const text = await scrape();
    expect(text).toContain('magis_webhooks_total{event="other",answer="415"} 1');
    expect((await fetch(`http://${address()}/`)).status).toBe(404);
  });

  it("is in a trace of the run, whose ids the log has, and which holds no words of the issue", async () => {
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
    expect(collector.raw()).not.toMatch(/What <b>it|ghs_|sk-ant/);
  });

  async function magis<T>(...words: readonly string[]): Promise<T> {
    const { out, err } = await startMagisHere(words, { environment: { MAGIS_DATA_DIR: dataDir }, cwd: dataDir }).ended;
    if (err !== "") throw new Error(err);
    return JSON.parse(out.toString()) as T;
  }

  it("is in the ledger of the running bot: runs, reviews, what people changed before they merged, and a revert", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const { pull } = ending;
    if (!pull) throw new Error("there is no pull request");
    const { number } = pull;
    const inThread = await alice.commentOn(number, { path: "docs/a.txt", line: 2, body: "Spell it out, please." });
    await scene.answered(number, inThread);
    await scene.ran(number, 1);
    await alice.push(pull.head.ref, { "docs/notes.txt": "one\ntwo\nthree\n" });
    await alice.merge(number);

    const measured = async () => ((await magis<LedgerStats>("stats", "--json")).linesKnown === 1 ? true : undefined);
    await world.until(measured, { what: "the look at the merged pull request" });
    const stats = await magis<LedgerStats>("stats", "--json");
    expect(stats).toMatchObject({
      running: { runs: 0, setAside: 0 },
      pulls: { open: 0, merged: 1, reverted: 0, closed: 0 },
      medians: { linesAfter: 3, reviewComments: 1, rounds: 1 },
    });
    const [total] = await magis<CostLine[]>("costs", "--by", "repo", "--json");
    expect(total).toMatchObject({ name: "acme/shop", opened: 1, merged: 1 });
    expect(total?.money).toBeGreaterThan(0);
    // Each is the same money, summed another way.
    for (const by of ["org", "month", "person", "model"]) {
      const lines = await magis<CostLine[]>("costs", "--by", by, "--json");
      expect(lines.reduce((sum, { money }) => sum + money, 0)).toBeCloseTo(total?.money ?? 0, 9);
    }
    expect(await magis<CostLine[]>("costs", "--by", "person", "--json")).toMatchObject([{ name: "alice" }]);

    const merge = await world.git("rev-parse", "main");
    const message = `Revert "Count"\n\nThis reverts commit ${merge}, reversing\nchanges made to ${pull.base.sha}.`;
    await alice.push("main", { "docs/notes.txt": null }, message);
    const pulls = async () => (await magis<LedgerStats>("stats", "--json")).pulls;
    await world.until(async () => (await pulls()).reverted === 1, { what: "the revert in the ledger" });
    expect(await pulls()).toEqual({ open: 0, merged: 0, reverted: 1, closed: 0 });
    expect(await scrape()).toContain('magis_pull_requests_total{state="merged"} 1');
  });

  /** Goes to GitHub and back, as `login`. */
  async function signedIn(login: string) {
    const browser = createBrowser(scene.bot().url);
    scene.world.visitAs(login);
    const { location } = await browser.get("/dashboard/sign-in");
    const { headers } = await fetch(location, { redirect: "manual" });
    const back = new URL(headers.get("location") ?? "");
    expect(back.origin).toBe(PUBLIC);
    expect((await browser.get(back.pathname + back.search)).location).toBe("/dashboard");
    return browser;
  }

  const PAGES = ["", "/runs", "/repositories", "/trends"];
  const textOf = async ({ get }: ReturnType<typeof createBrowser>) =>
    (await Promise.all(PAGES.map(async (page) => (await get(`/dashboard${page}`)).text))).join("\n");

  it("is on the dashboard, where people see the runs of repositories to which they may push, and operators all", async () => {
    const secret = await scene.world
      .person("tom", "acme/vault")
      .openIssue({ title: "The secret of the vault: docs/a.txt" });
    await scene.world.person("tom", "acme/vault").label(secret, "magis");
    await scene.ended(secret, "acme/vault");

    const alice = await textOf(await signedIn("alice"));
    expect(alice).toContain(SHOWN);
    expect(alice).not.toContain("vault");
    const tom = await signedIn("tom");
    const listed = await textOf(tom);
    expect(listed).toContain("The secret of the vault");
    expect(listed).not.toContain("shop");
    const rita = await textOf(await signedIn("rita"));
    expect(rita).toContain("The secret of the vault");
    expect(rita).toContain(SHOWN);
    expect(rita).toMatch(/\$0\.\d\d <small>of \$50\.00<\/small>/);
    const [run = ""] = listed.match(/\/dashboard\/runs\/[^"]+/) ?? [];
    expect((await tom.get(run)).status).toBe(200);
    expect((await (await signedIn("alice")).get(run)).status).toBe(404);
  });

  it("is linked from a run's comment, its pull request and its check, at the run's page", async () => {
    const { comment, pull } = ending;
    const page = /\[The run's page\]\(([^)]+)\)/.exec(comment.body)?.[1] ?? "";
    expect(page).toMatch(/^https:\/\/magis\.test\/dashboard\/runs\/acme%2Fshop%23\d+%40[\w-]+$/);
    expect(pull?.body).toContain(page);
    const checks = scene.world.journal.filter(({ method, path }) => method !== "GET" && path.includes("/check-runs"));
    const urls = checks.map(({ request }) => (request as { details_url?: string }).details_url);
    expect(urls).toContain(page);
    expect((await (await signedIn("alice")).get(new URL(page).pathname)).text).toContain(SHOWN);
  });

  it("is shown to nobody any more when the sign-in is taken away", async () => {
    const tom = await signedIn("tom");
    expect((await scene.world.revokeSignIn("tom")).status).toBe(200);
    expect((await tom.get("/dashboard")).status).toBe(401);
  });

  it("is shown until people sign out, which ends their sign-in at GitHub, too", async () => {
    const rita = await signedIn("rita");
    expect((await rita.post("/dashboard/sign-out", PUBLIC)).status).toBe(303);
    expect(scene.world.journal.some(({ path }) => path.startsWith("/user/installations"))).toBe(true);
    expect((await rita.get("/dashboard")).status).toBe(401);
  });
});
