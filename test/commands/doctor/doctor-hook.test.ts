import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Octokit } from "@octokit/rest";
import { verify } from "@octokit/webhooks-methods";
import { createAsk } from "../../../src/commands/doctor/ask.ts";
import {
  checkApp,
  checkDeliveries,
  checkEvents,
  checkHook,
  checkInstallations,
  checkPermissions,
  type RegisteredApp,
} from "../../../src/commands/doctor/check-app.ts";
import {
  checkDashboardPage,
  checkHookAddress,
  checkHookPing,
  checkLocalBot,
  checkPublicAddress,
  checkSignInAddress,
} from "../../../src/commands/doctor/check-bot.ts";
import { checkClock } from "../../../src/commands/doctor/check-local.ts";
import { openGithubAccess } from "../../../src/commands/doctor/doctor-command.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";
import { type RouteServer, startRoutes } from "./start-routes.ts";

const APP: RegisteredApp = {
  slug: "magis",
  permissions: { issues: "write", checks: "read" },
  events: ["issues"],
  settingsUrl: "https://g/settings/apps/magis",
  installUrl: "https://g/apps/magis/installations/new",
};
const MANIFEST = { permissions: { issues: "write" as const, checks: "read" as const }, events: ["issues"] };
const saying = (level: string, text: string | RegExp) => ({ level, text: expect.stringMatching(text) });

const ask = createAsk(new AbortController().signal, 3_000);
let server: RouteServer;
let github: Octokit;
beforeEach(async () => {
  server = await startRoutes({});
  const log = { debug: () => undefined, warn: () => undefined };
  const options = { apiUrl: server.url, webUrl: server.url, appId: 1, privateKey: rsaKey(), log, timeoutMs: 1_000 };
  github = openGithubAccess(options).client;
});
afterEach(() => server.close());
const route = (name: string, body: unknown, status = 200) => {
  server.routes[name] = { body, status };
};

describe("GitHub and the registration", () => {
  it("compares the clocks", async () => {
    const at = (seconds: number) => checkClock(ask, server.url, () => Date.now() + seconds * 1000);
    expect(await at(0)).toMatchObject({ level: "ok" });
    expect(await at(40)).toMatchObject(saying("warning", "ahead of"));
    expect(await at(-90)).toMatchObject(saying("fault", "behind"));
    await server.close();
    expect(await at(0)).toMatchObject(saying("fault", /refuses connections|broke/));
  });

  it("knows the app by its key, and where its settings are", async () => {
    const owner = { login: "acme", type: "Organization" };
    route("GET /app", { id: 7, slug: "magis", owner, permissions: {}, events: [] });
    const { verdict, app } = await checkApp(github, 7, "https://g");
    expect(verdict).toMatchObject(saying("ok", "magis \\(7\\) of acme"));
    expect(app?.settingsUrl).toBe("https://g/organizations/acme/settings/apps/magis");
    expect(server.asked[0]?.headers.authorization).toMatch(/^bearer eyJ/);
    route("GET /app", { message: "A JSON web token could not be decoded" }, 401);
    expect(await checkApp(github, 7, "")).toEqual({ verdict: expect.objectContaining(saying("fault", "do not fit")) });
    route("GET /app", "<html>");
    expect((await checkApp(github, 7, "")).verdict).toMatchObject({ level: "fault" });
    server.routes["GET /app"] = "never";
    expect((await checkApp(github, 7, "")).verdict).toMatchObject(saying("fault", "could not be reached"));
  });

  it("compares permissions and events with app.yml's", () => {
    expect(checkPermissions(APP, MANIFEST)).toMatchObject([{ level: "ok" }]);
    const permissions = { issues: "read", administration: "write" };
    expect(checkPermissions({ ...APP, permissions }, MANIFEST)).toMatchObject([
      { ...saying("fault", "issues: write, checks: read"), remedy: expect.stringContaining(APP.settingsUrl) },
      saying("warning", "administration: write"),
    ]);
    expect(checkEvents(APP, MANIFEST)).toMatchObject({ level: "ok" });
    expect(checkEvents({ ...APP, events: [] }, MANIFEST)).toMatchObject(saying("fault", "issues"));
  });

  it("lists the installations, those that are suspended and those that have not accepted permissions", async () => {
    route("GET /app/installations", []);
    expect(await checkInstallations(github, APP, MANIFEST)).toMatchObject([saying("fault", "nowhere")]);
    const one = (login: string, more: object) => ({ account: { login }, permissions: APP.permissions, ...more });
    const old = one("old", { permissions: { issues: "read" }, html_url: "https://g/i/2" });
    route("GET /app/installations", [one("acme", {}), old, one("gone", { suspended_at: "2026-01-01T00:00:00Z" })]);
    expect(await checkInstallations(github, APP, MANIFEST)).toMatchObject([
      saying("ok", "3: acme, old, gone"),
      { ...saying("warning", "old .*issues: write, checks: read"), remedy: expect.stringContaining("https://g/i/2") },
      saying("warning", "gone is suspended"),
    ]);
  });
});

describe("the webhook as GitHub has it", () => {
  const good = { url: "https://bot.example.com/hook/", content_type: "json", secret: "********", insecure_ssl: "0" };
  const hook = async (config: object, status = 200) => {
    route("GET /app/hook/config", config, status);
    return checkHook(github, APP, "/hook");
  };

  it("has address, path, content type, secret and certificate as they should be", async () => {
    expect(await hook(good)).toMatchObject({ verdicts: [{ level: "ok" }], url: good.url });
    expect((await hook({ ...good, url: "https://bot.example.com/" })).verdicts).toMatchObject([
      saying("fault", "path /"),
    ]);
    expect((await hook({ ...good, content_type: "form" })).verdicts).toMatchObject([saying("fault", "content type")]);
    expect((await hook({ ...good, secret: null })).verdicts).toMatchObject([saying("fault", "No secret")]);
    expect((await hook({ ...good, insecure_ssl: "1" })).verdicts).toMatchObject([saying("warning", "certificate")]);
    expect((await hook({ ...good, url: "http://bot/hook" })).verdicts).toMatchObject([saying("warning", "not https")]);
    for (const none of [hook({ ...good, url: "" }), hook({ message: "Not Found" }, 404), hook({}, 500)])
      expect(await none).toEqual({ verdicts: [expect.objectContaining({ level: "fault" })] });
  });

  it.each([
    [[200, 200], "ok", /latest 2 were taken/],
    [[401, 200], "fault", /1 of the latest 2 failed: 401, the signature was refused/],
    [[200, 404], "warning", /404, nothing is at that path\. The last was taken/],
    [[0, 0], "fault", /nothing answered/],
    [[503], "fault", /could not keep it/],
    [[0], "fault", /the time ran out/, "timed out"],
    [[], "warning", /sent nothing/],
  ] as const)("deliveries that ended %j: %s", async (codes, level, text, status: string = "Something") => {
    route(
      "GET /app/hook/deliveries",
      codes.map((status_code) => ({ status_code, status, event: "issues", delivered_at: "2026-11-20T10:00:00Z" })),
    );
    expect(await checkDeliveries(github, APP)).toMatchObject(saying(level, text));
  });
});

describe("the bot behind the webhook", () => {
  it("answers and can work, here and at the address", async () => {
    const { port } = new URL(server.url);
    const here = () => checkLocalBot(ask, { host: "0.0.0.0", port: Number(port) }, { toStart: "Run magis start." });
    const there = () => checkHookAddress(ask, `${server.url}/hook`, false);
    expect(await here()).toMatchObject(saying("fault", "Another program"));
    expect(await there()).toMatchObject(saying("warning", "not for /healthz"));
    route("GET /healthz", "ok\n");
    route("GET /readyz", "not ready\n", 503);
    expect(await here()).toMatchObject(saying("fault", "not ready"));
    expect(await there()).toMatchObject(saying("fault", "not ready"));
    route("GET /readyz", "ready\n");
    expect(await here()).toMatchObject({ level: "ok" });
    expect(await there()).toMatchObject({ level: "ok" });
    expect(await checkHookAddress(ask, `${server.url}/hook`, true)).toMatchObject(saying("fault", "cannot reach"));
    await server.close();
    expect(await here()).toMatchObject({
      ...saying("warning", "does not run here"),
      remedy: expect.stringContaining("Run magis start."),
    });
    expect(await there()).toMatchObject(saying("fault", /refuses connections|broke/));
    expect(await checkLocalBot(ask, { host: "localhost", port: 0 }, { toStart: "" })).toMatchObject({
      level: "skipped",
    });
  });

  it("takes a signed ping and refuses a wrong signature", async () => {
    const ping = (secret: string) => checkHookPing(ask, `${server.url}/hook`, secret);
    const checked: boolean[] = [];
    expect(await ping("the-secret")).toMatchObject(saying("fault", "not taken"));
    route("POST /hook", {});
    expect(await ping("the-secret")).toMatchObject(saying("warning", "a wrong signature too"));
    for (const { body, headers } of server.asked.splice(0).slice(-2))
      checked.push(await verify("the-secret", body, String(headers["x-hub-signature-256"])));
    expect(checked.sort()).toEqual([false, true]);

    server.routes["POST /hook"] = ({ headers, body }) => {
      const right = `sha256=${createHmac("sha256", "the-secret").update(body).digest("hex")}`;
      return { status: headers["x-hub-signature-256"] === right ? 200 : 401 };
    };
    expect(await ping("the-secret")).toMatchObject({ level: "ok" });
    expect(await ping("another")).toMatchObject(saying("fault", "it has a different one"));
    route("POST /hook", { message: "refused" }, 401);
    expect(await ping("the-secret")).toMatchObject(saying("fault", "it has a different one"));
    route("POST /hook", {}, 302);
    expect(await ping("the-secret")).toMatchObject(saying("fault", "redirects"));
  });
});

describe("the public address", () => {
  it("is where GitHub sends webhooks, or is named beside that", () => {
    const at = (hook: string) => checkPublicAddress("https://bot.example.com", hook);
    expect(at("https://bot.example.com/hook")).toMatchObject(saying("ok", "https://bot.example.com,"));
    expect(at("https://smee.io/abc")).toMatchObject(saying("warning", "webhooks to https://smee.io"));
  });

  it("lets people sign in over https or on their own machine, and names the callback URL", () => {
    const at = (url: string) => checkSignInAddress(url, APP);
    const callback = "https://bot.example.com/dashboard/signed-in is one of them at https://g/settings/apps/magis";
    expect(at("https://bot.example.com/")).toMatchObject(saying("ok", callback));
    expect(at("http://localhost:3000")).toMatchObject({ level: "ok" });
    expect(at("http://bot.example.com")).toMatchObject(saying("fault", "over https only"));
  });

  it("has the dashboard", async () => {
    route("GET /dashboard", "Sign in", 401);
    const at = (url: string) => checkDashboardPage(ask, url);
    expect(await at(server.url)).toMatchObject(saying("ok", "/dashboard answers"));
    route("GET /dashboard", "nothing", 404);
    expect(await at(server.url)).toMatchObject(saying("fault", "404"));
    expect(await at("http://bot.example.com")).toMatchObject({ level: "skipped" });
    await server.close();
    expect(await at(server.url)).toMatchObject(saying("fault", /refuses connections|broke/));
  });
});
