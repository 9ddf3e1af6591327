import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { AuditEntry } from "../../src/data/audit.ts";
import { isMagisError } from "../../src/data/error.ts";
import type { Metrics } from "../../src/data/metrics.ts";
import { longPauseOf, mayBeReportedLater, outageOf } from "../../src/data/outage.ts";
import type { Traces } from "../../src/data/traces.ts";
import { abortable } from "../../src/github/abortable.ts";
import { createOpenCodeHost } from "../../src/github/app-host.ts";
import { createCompleteFetch } from "../../src/github/client.ts";
import { rsaKey } from "../fakes/rsa-key.ts";
import { fakeHosts } from "./open-fake-host.ts";
import type { Answer, Asked, Responder } from "./start-fake-github.ts";

const ISSUE = "GET /repos/octo/tools/issues/5";
const COMMENTS = "POST /repos/octo/tools/issues/5/comments";
const issue: Answer = { body: { number: 5, title: "t", state: "open", labels: [], user: null } };
const comment: Answer = { status: 201, body: { id: 1, user: null, body: "b" } };
const bad = (status: number, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { message, documentation_url: "https://docs.github.com/rest" },
});

describe("the client for GitHub", () => {
  const start = fakeHosts();
  /** gives the answers in turn and repeats the last */
  const inTurn = (...answers: Answer[]): Responder => {
    let next = 0;
    return () => answers[Math.min(next++, answers.length - 1)];
  };

  it("acts as the app's installation, with a token for the one repository", async () => {
    const { host, github } = await start(() => issue);
    expect(host.login).toBe("magis[bot]");
    expect(host.cloneUrl).toBe(`http://${github.host}/octo/tools.git`);
    await host.readIssue(5);
    expect(await host.cloneToken()).toBe("ghs_42_T.1");
    const tokenRequests = github.asked.filter(({ path }) => path.endsWith("/access_tokens"));
    expect(tokenRequests.map(({ body }) => body)).toEqual([{ repositories: ["tools"] }]);
    expect(github.asked.at(-1)?.authorization).toBe("token ghs_42_T.1");
  });

  it("asks who the app is once, and again only after a refusal", async () => {
    let refuse = false;
    const { open, github } = await start(() => (refuse ? bad(401, "Bad JWT") : { body: { id: 42, slug: "magis" } }), {
      identity: () => undefined,
    });
    await open({ owner: "octo", name: "other", installationId: 7 });
    expect(github.asked).toHaveLength(1);
    refuse = true;
    const privateKey = rsaKey("pkcs1");
    const log = { debug: () => undefined, warn: () => undefined };
    const webUrl = `http://${github.host}`;
    const openAnew = createOpenCodeHost({ appId: "42", privateKey, apiUrl: `${webUrl}/api/v3`, webUrl, log });
    const repository = { owner: "octo", name: "tools", installationId: 7 };
    await expect(openAnew(repository)).rejects.toMatchObject({ code: "HOST_REFUSED" });
    refuse = false;
    expect((await openAnew(repository)).login).toBe("magis[bot]");
  });

  it("renews a token that GitHub no longer accepts", async () => {
    const { host, github } = await start(({ authorization }) =>
      authorization === "token ghs_42_T.1" ? bad(401, "Bad credentials") : comment,
    );
    await host.createComment(5, "b");
    expect(github.calls()).toEqual([COMMENTS, COMMENTS]);
    expect(await host.cloneToken()).toBe("ghs_42_T.2");
  });

  it("renews a token that is about to expire", async () => {
    let count = 0;
    const identity = ({ path }: Asked): Answer | undefined => {
      if (path === "/app") return { body: { id: 42, slug: "magis" } };
      if (!path.endsWith("/access_tokens")) return undefined;
      const expires_at = new Date(Date.now() + (count === 0 ? 60_000 : 3_600_000)).toISOString();
      return { status: 201, body: { token: `ghs_${++count}`, expires_at, permissions: {} } };
    };
    const { host, github } = await start(() => issue, { identity });
    await host.readIssue(5);
    await host.readIssue(5);
    expect(github.asked.filter(({ path }) => /issues/.test(path)).map((asked) => asked.authorization)).toEqual([
      "token ghs_2",
      "token ghs_2",
    ]);
  });

  it("makes a read four times after faults of the network and the host", async () => {
    const { host, github, waits } = await start(
      inTurn({ drop: "at once" }, { ...issue, drop: "half way" }, bad(502, "Bad"), bad(503, "Unavailable")),
    );
    await expect(host.readIssue(5)).rejects.toMatchObject({ code: "HOST_UNREACHABLE", data: { status: 503 } });
    expect(github.calls()).toEqual([ISSUE, ISSUE, ISSUE, ISSUE]);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it.each<[string, Answer]>([
    ["a hang-up", { drop: "at once" }],
    ["a hang-up during the answer", { ...comment, drop: "half way" }],
    ["a failure of the host", bad(500, "Server Error")],
  ])("never repeats a creating request after %s", async (_, answer) => {
    const { host, github } = await start(() => answer);
    await expect(host.createComment(5, "b")).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(github.calls()).toEqual([COMMENTS]);
  });

  it("repeats a creating request that was never sent", async () => {
    let refusals = 0;
    const send: typeof fetch = async (input, init) => {
      if (!String(input).endsWith("/comments") || refusals++ > 0) return fetch(input, init);
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
    };
    const { host, github } = await start(() => comment, { fetch: send });
    await host.createComment(5, "b");
    expect(github.calls()).toEqual([COMMENTS]);
  });

  it("names no address when GitHub cannot be reached", async () => {
    const { host, github } = await start(() => comment, { maxWaitSeconds: 0 });
    await host.createComment(5, "b");
    await github.close();
    await expect(host.createComment(5, "b")).rejects.toMatchObject({
      code: "HOST_UNREACHABLE",
      message: "GitHub could not be reached to comment on #5.",
    });
    expect(github.calls()).toEqual([COMMENTS]);
  });

  /** A refusal that ends in `seconds` by GitHub's clock. */
  const limitedBy = (seconds: number): Answer =>
    bad(403, "API rate limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(seconds) });
  const reset = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);
  it.each<[string, () => Answer]>([
    ["secondary", () => bad(403, "You have exceeded a secondary rate limit.", { "retry-after": "1" })],
    ["primary", () => bad(403, "API rate limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(1) })],
    ["bare", () => bad(429, "Too many requests", { "retry-after": "1" })],
  ])("waits for the %s rate limit, then makes the request", async (_, limited) => {
    const { host, github, waits } = await start(inTurn(limited(), comment));
    await host.createComment(5, "b");
    expect(waits).toEqual([expect.any(Number)]);
    expect(waits[0]).toBeGreaterThan(900);
    expect(waits[0]).toBeLessThan(3_000);
    expect(github.calls()).toEqual([COMMENTS, COMMENTS]);
  });

  it.each<[string, () => Answer]>([
    ["secondary", () => bad(429, "You have exceeded a secondary rate limit.", { "retry-after": "60" })],
    ["primary", () => bad(403, "API rate limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset(900) })],
    ["bare", () => bad(403, "Slow down", { "retry-after": "60" })],
  ])("does not wait for the %s rate limit longer than allowed", async (_, limited) => {
    const { host, github } = await start(() => limited(), { maxWaitSeconds: 5 });
    await expect(host.readIssue(5)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(github.calls()).toHaveLength(1);
  });

  it.each([-7_200_000, 7_200_000])("waits no longer when its own clock is off by %i ms", async (shift) => {
    const { host, github, waits } = await start(inTurn(comment, limitedBy(1), comment));
    await host.createComment(5, "b");
    const { now } = Date;
    Date.now = () => now() + shift;
    try {
      await host.createComment(5, "b");
      await host.createComment(5, "b");
    } finally {
      Date.now = now;
    }
    expect(github.calls()).toHaveLength(4);
    for (const wait of waits) expect(wait).toBeLessThan(20_000);
  });

  it("begins creations of all runs of an installation 900 ms apart", async () => {
    const begun: number[] = [];
    const { open, now } = await start(() => {
      begun.push(now());
      return comment;
    });
    const repository = { owner: "octo", name: "tools", installationId: 7 };
    const [one, two] = [await open(repository), await open({ ...repository, name: "other" })];
    const since = now();
    await Promise.all([one.createComment(5, "a"), two.createComment(5, "b"), one.createComment(5, "c")]);
    expect(begun).toHaveLength(3);
    for (const [at, time] of begun.entries()) expect(time - since).toBeGreaterThanOrEqual(at * 900);
  });

  it("makes an installation's other writes one after another, and reads beside them", async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const send: typeof fetch = async (input, init) => {
      if (String(init?.body).includes("slow")) await held;
      return fetch(input, init);
    };
    const { host, open, github } = await start(({ method }) => (method === "GET" ? issue : comment), { fetch: send });
    const other = await open({ owner: "octo", name: "other", installationId: 7 });
    const writes = [host.updateComment(1, "slow"), other.updateComment(1, "a"), host.updateComment(1, "b")];
    await host.readIssue(5);
    expect(github.calls()).toEqual([ISSUE]);
    letGo();
    await Promise.all(writes);
    expect(github.asked.flatMap(({ body }) => body.body ?? [])).toEqual(["slow", "a", "b"]);
  });

  it("never sends a write whose run has ended while it waited for its turn", async () => {
    const { host, github } = await start(() => comment);
    const ending = new AbortController();
    const ended = abortable(host, ending.signal);
    const writes = [host.createComment(5, "a"), ended.createComment(5, "b"), host.createComment(5, "c")];
    ending.abort();
    const results = await Promise.allSettled(writes);
    expect(results).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "RUN_CANCELLED" } },
      { status: "fulfilled" },
    ]);
    expect(github.asked.flatMap(({ body }) => body.body ?? [])).toEqual(["a", "c"]);
  });

  it("gives up a read under way when its run ends", async () => {
    let begin = () => {};
    const underWay = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const send: typeof fetch = (input, init) => {
      if (!String(input).endsWith("/issues/5")) return fetch(input, init);
      begin();
      return new Promise(() => undefined);
    };
    const { host } = await start(() => issue, { fetch: send });
    const ending = new AbortController();
    const reading = abortable(host, ending.signal).readIssue(5);
    // The library shares a request for a token with whoever asks next, here the next test.
    await underWay;
    ending.abort();
    await expect(reading).rejects.toMatchObject({ code: "RUN_CANCELLED" });
  });

  it("shares a token among runs, whichever of them ends while it is asked for", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const send: typeof fetch = async (input, init) => {
      if (String(input).endsWith("/access_tokens")) await held;
      return fetch(input, init);
    };
    const { host } = await start(() => issue, { fetch: send });
    const ending = new AbortController();
    const ended = abortable(host, ending.signal);
    const [first, other, clone] = [ended.readIssue(5), host.readIssue(5), ended.cloneToken()];
    ending.abort();
    await expect(first).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    await expect(clone).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    answer();
    expect(await other).toMatchObject({ number: 5 });
  });

  it("tells log, metrics, traces and audit of each attempt, of reads all but the audit", async () => {
    const entries: AuditEntry[] = [];
    const answered: unknown[] = [];
    const spans: unknown[] = [];
    const traces: Pick<Traces, "span"> = {
      span(facts, body) {
        spans.push(facts);
        return body((end) => spans.push(end));
      },
    };
    const core = { "x-ratelimit-resource": "core", "x-ratelimit-remaining": "4999" };
    const { host, logged } = await start(inTurn(bad(502, "Bad", core), { ...comment, status: 200 }, issue), {
      audit: (entry) => void entries.push(entry),
      metrics: { githubAnswered: (...facts: unknown[]) => void answered.push(facts) } as unknown as Metrics,
      traces: traces as Traces,
    });
    for (const all of [entries, answered, spans, logged]) all.length = 0;
    await host.updateComment(1, "b");
    await host.readIssue(5);
    const left = { installation: 7, remaining: 4999 };
    expect(answered.slice(-3)).toEqual([
      [502, left],
      [200, undefined],
      [200, undefined],
    ]);
    const path = "/api/v3/repos/octo/tools/issues/comments/1";
    const write = { what: "write", repository: "octo/tools", method: "PATCH", place: path };
    expect(entries).toEqual([502, 200].map((status) => ({ ...write, status, milliseconds: expect.any(Number) })));
    const route = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
    expect(spans).toContainEqual({ kind: "GitHub request", method: "PATCH", route });
    expect(spans).toContainEqual({ status: 502 });
    expect(logged.join()).toContain(path);
  });

  it("goes on after a write that failed", async () => {
    const { host, github } = await start(inTurn(bad(422, "No"), comment));
    const results = await Promise.allSettled([host.createComment(5, "a"), host.createComment(5, "b")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(github.calls()).toEqual([COMMENTS, COMMENTS]);
  });

  it.each([
    [401, "HOST_REFUSED"],
    [403, "HOST_REFUSED"],
    [404, "HOST_NOT_FOUND"],
    [409, "HOST_REFUSED"],
    [410, "HOST_NOT_FOUND"],
    [422, "HOST_REFUSED"],
  ])("turns status %i into %s", async (status, code) => {
    const { host, waits } = await start(() => bad(status, "No ghs_secret.T0ken for you"));
    const error = await host.readIssue(5).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code, data: { status } });
    expect(String(error)).not.toContain("secret.");
    // Not all of GitHub's servers may know a new token yet.
    expect(waits).toEqual(status === 401 ? [1000] : []);
  });

  it.each([200, 403, 404, 407, 500])("takes an HTML page with status %i for an outage", async (status) => {
    const page: Answer = { status, text: "<!DOCTYPE html><p>Unicorn!</p>", headers: { "content-type": "text/html" } };
    const { host } = await start(() => page, { maxWaitSeconds: 0 });
    await expect(host.readIssue(5)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });

  const date = "Sat, 28 Nov 2026 12:00:00 GMT";
  const inTenMinutes = String(Date.parse(date) / 1000 + 600 - 1);
  it.each<[string, Record<string, string>]>([
    ["seconds", { "retry-after": "600" }],
    ["seconds after a space", { "retry-after": " 600" }],
    ["a date", { "retry-after": "Sat, 28 Nov 2026 12:10:00 GMT" }],
    ["the reset, with nothing left", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inTenMinutes }],
  ])("says how long a pause of more than a minute lasts, by %s, and creates nothing meanwhile", async (_, headers) => {
    const message = "You have exceeded a secondary rate limit and have been temporarily blocked from content creation.";
    const { host, open, github } = await start(({ method }) =>
      method === "POST" ? bad(403, message, { ...headers, date }) : comment,
    );
    const refusal: unknown = await host.createComment(5, "b").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "HOST_UNREACHABLE", data: { retryAfterMs: 600_000 } });
    expect([outageOf(refusal)?.of, longPauseOf(refusal)]).toEqual(["writes", 600_000]);
    const other = await open({ owner: "octo", name: "other", installationId: 7 });
    const next: unknown = await other.createComment(5, "c").catch((error: unknown) => error);
    expect(longPauseOf(next)).toBeGreaterThan(590_000);
    await host.updateComment(1, "b");
    expect(github.calls()).toEqual([COMMENTS, "PATCH /repos/octo/tools/issues/comments/1"]);
  });

  it("finds the new installation after the app was removed and installed again", async () => {
    let away = false;
    const identity = ({ path }: Asked): Answer | undefined => {
      if (path === "/app") return { body: { id: 42, slug: "magis" } };
      if (path === "/repos/octo/tools/installation") return away ? undefined : { body: { id: 8 } };
      if (path !== "/app/installations/8/access_tokens" || away) return undefined;
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return { status: 201, body: { token: "ghs_8", expires_at, permissions: {} } };
    };
    const { host } = await start(({ path }) => (path.endsWith("/issues/5") ? issue : undefined), { identity });
    away = true;
    const error: unknown = await host.readIssue(5).catch((caught: unknown) => caught);
    expect([outageOf(error), mayBeReportedLater(error)]).toEqual([undefined, true]);
    away = false;
    expect((await host.readIssue(5)).title).toBe("t");
  });

  it("leaks no token in errors or the log", async () => {
    const { host, logged } = await start(inTurn(bad(403, "No ghs_42_T.1"), bad(422, "No"), { drop: "at once" }));
    for (const attempt of [1, 2, 3]) {
      const error = await host.createComment(5, `try ${attempt}`).catch((caught: unknown) => caught);
      if (!isMagisError(error)) throw new Error("not a coded error");
      expect(inspect(error, { depth: 12, showHidden: true })).not.toMatch(/ghs_|eyJ/);
    }
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join()).not.toMatch(/ghs_|eyJ/);
  });
});

describe("createCompleteFetch", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/silent") return;
      if (request.url === "/empty") return void response.writeHead(204).end();
      response.writeHead(201, { "x-kind": "whole" }).write("first ");
      if (request.url === "/whole") response.end("last");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );

  it("passes on status, headers and the whole body", async () => {
    const response = await createCompleteFetch(fetch, 10_000)(`${url}/whole`);
    expect([response.status, response.headers.get("x-kind"), await response.text()]).toEqual([
      201,
      "whole",
      "first last",
    ]);
    expect((await createCompleteFetch(fetch, 10_000)(`${url}/empty`)).status).toBe(204);
  });

  it.each(["/silent", "/half"])("fails in time when the answer stops at %s", async (path) => {
    await expect(createCompleteFetch(fetch, 200)(url + path)).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
