import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBrowser } from "../dashboard/create-browser.ts";
import { createScript } from "../scripted-model/script.ts";
import { type Ending, type Scene, startScene } from "./start-scene.ts";

/** Nothing is there: a test brings what goes to it to the bot. */
const PUBLIC = "https://magis.test";

describe("the dashboard on loopback", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene({
      repository: { files: { "a.txt": "a\n" } },
      script: createScript({ files: { "a.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "A" }] }] } } }),
      environment: { MAGIS_DASHBOARD: "loopback", MAGIS_DASHBOARD_PORT: "0", MAGIS_BUDGET_DAY: "100" },
    });
  });
  afterAll(() => scene.close());

  const origin = () => {
    const line = scene.bot().log.find(({ msg }) => msg.startsWith("the dashboard is at http://localhost:"));
    return `http://127.0.0.1:${line?.port}`;
  };
  const page = async (path: string) => (await fetch(`${origin()}/dashboard${path}`)).text();

  it("shows a run from its queue to its end, and what it cost of the day's limit", async () => {
    expect(await page("")).toContain("Nothing runs or waits.");
    const issue = await scene.ask("Change <b>a.txt</b>");
    const shown = await scene.world.until(
      async () => (await page("")).match(/href="(\/dashboard\/runs\/[^"]+)">Change &lt;b&gt;a\.txt&lt;\/b&gt;</)?.[1],
      { what: "the run on the overview" },
    );
    await scene.ended(issue);
    // The ledger has a run's end just after its comment.
    const overview = await scene.world.until(
      async () => {
        const now = await page("");
        return now.includes("Nothing runs or waits.") ? now : undefined;
      },
      { what: "the run's end on the overview" },
    );
    expect(overview).toMatch(/pull request #\d+/);
    expect(overview).toMatch(/\$0\.\d\d <small>of \$100\.00<\/small>/);
    const run = await (await fetch(origin() + shown)).text();
    expect(run).toContain(">Change &lt;b&gt;a.txt&lt;/b&gt;</h1>");
    expect(run).not.toContain('http-equiv="refresh"');
    expect(await page("/runs")).toContain(`acme/shop#${issue}`);
    expect(await page("/repositories")).toContain("<bdi>acme/shop</bdi>");
    expect(await page("/trends")).toMatch(/<td class="figure"[^>]*>1<\/td>/);
  });

  it("is not part of the bot's own web server, and answers no other name than its own", async () => {
    expect((await fetch(`${scene.bot().url}/dashboard`)).status).toBe(404);
    const status = await new Promise((resolve, reject) => {
      request(`${origin()}/dashboard`, { headers: { host: "rebound.test" } }, (response) => {
        resolve(response.statusCode);
        response.resume();
      })
        .once("error", reject)
        .end();
    });
    expect(status).toBe(421);
  });
});

describe("the dashboard for people whom GitHub knows", () => {
  let scene: Scene;
  let ending: Ending;
  beforeAll(async () => {
    scene = await startScene({
      repository: { files: { "a.txt": "a\n" } },
      more: ["vault"],
      script: createScript({ files: { "a.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "A" }] }] } } }),
      environment: { MAGIS_DASHBOARD: "github", MAGIS_URL: PUBLIC, MAGIS_OPERATORS: "rita" },
    });
    for (const name of ["alice", "rita"]) scene.world.setRole(name, "none", "acme/vault");
    scene.world.setRole("tom", "write", "acme/vault");
    const issue = await scene.world.person("tom", "acme/vault").openIssue({ title: "The secret of the vault" });
    await scene.world.person("tom", "acme/vault").label(issue, "magis");
    await scene.ended(issue, "acme/vault");
    ending = await scene.ended(await scene.ask("Change a.txt of the shop"));
  });
  afterAll(() => scene.close());

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

  it("shows people the runs of repositories to which they may push, and an operator all", async () => {
    const alice = await textOf(await signedIn("alice"));
    expect(alice).toContain("Change a.txt of the shop");
    expect(alice).not.toContain("vault");
    const tom = await signedIn("tom");
    const listed = await textOf(tom);
    expect(listed).toContain("The secret of the vault");
    expect(listed).not.toContain("shop");
    const rita = await textOf(await signedIn("rita"));
    expect(rita).toContain("The secret of the vault");
    expect(rita).toContain("Change a.txt of the shop");
    const [run = ""] = listed.match(/\/dashboard\/runs\/[^"]+/) ?? [];
    expect((await tom.get(run)).status).toBe(200);
    expect((await (await signedIn("alice")).get(run)).status).toBe(404);
  });

  it("is linked from the run's comment, its pull request and its check, at the run's page", async () => {
    const { comment, pull } = ending;
    const page = /\[The run's page\]\(([^)]+)\)/.exec(comment.body)?.[1] ?? "";
    expect(page).toMatch(/^https:\/\/magis\.test\/dashboard\/runs\/acme%2Fshop%23\d+%40[\w-]+$/);
    expect(pull?.body).toContain(page);
    const checks = scene.world.journal.filter(({ method, path }) => method !== "GET" && path.includes("/check-runs"));
    const urls = new Set(checks.map(({ request }) => (request as { details_url?: string }).details_url));
    expect([...urls]).toEqual([page]);
    expect((await (await signedIn("alice")).get(new URL(page).pathname)).text).toContain("Change a.txt of the shop");
  });

  it("shows nothing any more when the sign-in is taken away", async () => {
    const tom = await signedIn("tom");
    expect((await scene.world.revokeSignIn("tom")).status).toBe(200);
    expect((await tom.get("/dashboard")).status).toBe(401);
  });

  it("ends a sign-in at GitHub, too", async () => {
    const rita = await signedIn("rita");
    expect((await rita.post("/dashboard/sign-out", PUBLIC)).status).toBe(303);
    expect(scene.world.journal.some(({ path }) => path.startsWith("/user/installations"))).toBe(true);
    expect((await rita.get("/dashboard")).status).toBe(401);
  });
});
