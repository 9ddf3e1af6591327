import { afterEach, describe, expect, it } from "@jest/globals";
import type { Gate } from "../../src/dashboard/gate.ts";
import { createPeople, KEPT_MS } from "../../src/dashboard/people.ts";
import { createSeal } from "../../src/dashboard/seal.ts";
import { createSignInGate } from "../../src/dashboard/sign-in-gate.ts";
import type { Templates } from "../../src/dashboard/templates.ts";
import type { RepositoryId } from "../../src/data/run-request.ts";
import type { SignIn } from "../../src/github/sign-in.ts";
import type { Visible } from "../../src/queue/visible.ts";
import { fc } from "../seeded.ts";
import { createBrowser } from "./create-browser.ts";
import { sampleView } from "./sample-view.ts";
import { startDashboard } from "./start-dashboard.ts";

const SHOP: RepositoryId = { owner: "acme", name: "shop", installationId: 1 };

/** GitHub, as far as the dashboard asks it: a token is `token of LOGIN`. */
function createHost() {
  const host = {
    repositories: new Map<string, readonly RepositoryId[]>([
      ["alice", [SHOP]],
      ["tom", []],
      ["root", []],
    ]),
    asked: 0,
    isDown: false,
    revoked: [] as string[],
    signIn: undefined as unknown as SignIn,
  };
  const answer = async <T>(value: T): Promise<T> => {
    host.asked += 1;
    if (host.isDown) throw new Error("GitHub is down");
    return value;
  };
  const loginOf = (token: string) => (host.revoked.includes(token) ? undefined : token.replace("token of ", ""));
  host.signIn = {
    address: ({ state, challenge, redirectUrl }) =>
      `https://github.test/authorize?${new URLSearchParams({ state, challenge, redirectUrl })}`,
    exchange: ({ code }) => answer(host.repositories.has(code) ? `token of ${code}` : undefined),
    login: (token) => answer(loginOf(token)),
    repositories: (token) => {
      const login = loginOf(token);
      return answer(login === undefined ? undefined : (host.repositories.get(login) ?? []));
    },
    revoke: (token) => answer(void host.revoked.push(token)),
  };
  return host;
}

const ORIGIN = "https://magis.test";

describe("the dashboard for people who sign in", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function open() {
    const host = createHost();
    const clock = { steady: 0, wall: Date.parse("2026-11-23T12:00:00Z") };
    const seen: Visible[] = [];
    const people = createPeople(host.signIn, ["Root"], () => clock.steady);
    const gate = (templates: Templates): Gate =>
      createSignInGate({
        templates,
        people,
        signIn: host.signIn,
        secret: "of the app",
        origin: ORIGIN,
        now: () => clock.wall,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      });
    const view = (visible: Visible) => {
      seen.push(visible);
      return sampleView();
    };
    const { url, close } = await startDashboard({ gate, view });
    closers.push(close);
    const browser = () => createBrowser(url);
    return { host, clock, people, seen, browser };
  }

  it("shows a stranger nothing but where to sign in, whatever they ask for", async () => {
    const { browser, seen, host } = await open();
    for (const path of [
      "/dashboard",
      "/dashboard/runs",
      "/dashboard/runs/x",
      "/dashboard/nothing",
      "/dashboard/sign-out",
    ]) {
      const page = await browser().get(path);
      expect([401, 403]).toContain(page.status);
      expect(page.text).not.toMatch(/acme|shop|\$\d/);
    }
    expect((await browser().get("/dashboard/style.css")).status).toBe(200);
    expect([seen, host.asked]).toEqual([[], 0]);
  });

  it("lets a person in by state and PKCE, with what they may push to, and back to the page they asked for", async () => {
    const { browser, seen } = await open();
    const alice = browser();
    const asked = await alice.get("/dashboard/runs/acme%2Fshop%237%40d");
    const link = /href="(\/dashboard\/sign-in\?to=[^"]+)"/.exec(asked.text)?.[1] ?? "";
    const begun = await alice.get(link);
    const address = new URL(begun.location);
    expect(address.origin).toBe("https://github.test");
    expect(address.searchParams.get("redirectUrl")).toBe(`${ORIGIN}/dashboard/signed-in`);
    expect(address.searchParams.get("challenge")).toMatch(/^[\w-]{43}$/);
    const back = await alice.get(`/dashboard/signed-in?code=alice&state=${address.searchParams.get("state")}`);
    expect([back.status, back.location]).toEqual([303, "/dashboard/runs/acme%2Fshop%237%40d"]);
    const page = await alice.get("/dashboard");
    expect(page.status).toBe(200);
    expect(page.text).toContain("<span>alice</span>");
    expect(page.text).not.toContain("of $50.00");
    expect(seen).toEqual([[SHOP]]);
  });

  it("keeps its cookies from scripts, other sites and http, for eight hours, and their content from their holder", async () => {
    const { browser, clock } = await open();
    const alice = await signedIn(browser(), "alice");
    const set = alice.set.filter((cookie) => !cookie.includes("Max-Age=0"));
    expect(set.map((cookie) => cookie.replace(/=[^;]*/, ""))).toEqual([
      "__Host-magis-sign-in; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax",
      "__Host-magis-session; Path=/; Max-Age=28800; HttpOnly; Secure; SameSite=Lax",
    ]);
    // An answer of GitHub's counts once.
    expect([...alice.cookies.keys()]).toEqual(["__Host-magis-session"]);
    const decoded = set.map((cookie) =>
      Buffer.from(/=([^;]*)/.exec(cookie)?.[1] ?? "", "base64url").toString("latin1"),
    );
    expect(decoded.join()).not.toMatch(/token|alice|verifier/);
    clock.wall += 8 * 3600 * 1000;
    expect((await alice.get("/dashboard")).status).toBe(401);
  });

  it.each<[string, (state: string) => string]>([
    ["without a state", () => "code=alice"],
    ["with another state", () => "code=alice&state=x"],
    ["with a longer state", (state) => `code=alice&state=${state}x`],
    ["without a code", (state) => `state=${state}`],
    ["with a code that GitHub does not take", (state) => `code=mallory&state=${state}`],
    ["from a person who did not agree", (state) => `error=access_denied&state=${state}`],
  ])("lets nobody in by an answer %s", async (_, answer) => {
    const { browser } = await open();
    const one = browser();
    const begun = await one.get("/dashboard/sign-in");
    const state = new URL(begun.location).searchParams.get("state") ?? "";
    expect((await one.get(`/dashboard/signed-in?${answer(state)}`)).status).toBe(403);
    expect((await one.get("/dashboard")).status).toBe(401);
  });

  it("lets nobody in by an answer to another browser's sign-in, or to one of before", async () => {
    const { browser, clock } = await open();
    const begun = await browser().get("/dashboard/sign-in");
    const state = new URL(begun.location).searchParams.get("state");
    expect((await browser().get(`/dashboard/signed-in?code=alice&state=${state}`)).status).toBe(403);
    const late = browser();
    const first = new URL((await late.get("/dashboard/sign-in")).location).searchParams.get("state");
    clock.wall += 600_000;
    expect((await late.get(`/dashboard/signed-in?code=alice&state=${first}`)).status).toBe(403);
  });

  it.each([
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "/dashboards",
    "/dashboard/..//evil.test?",
    "/dashboard/sign-out",
    "",
  ])("does not lead a person to %j afterwards", async (to) => {
    const { browser } = await open();
    const alice = await signedIn(browser(), "alice", to);
    expect(alice.last).toBe("/dashboard");
  });

  it("shows nothing to a person who may push nowhere, and all to an operator", async () => {
    const { browser, seen } = await open();
    const tom = await signedIn(browser(), "tom");
    expect((await tom.get("/dashboard")).status).toBe(403);
    expect(seen).toEqual([]);
    const root = await signedIn(browser(), "root");
    expect((await root.get("/dashboard")).text).toContain("of $50.00");
    expect(seen).toEqual(["all"]);
  });

  it("asks GitHub once in five minutes what somebody may see, and at each page whether they are signed in", async () => {
    const { browser, host, clock, seen } = await open();
    const alice = await signedIn(browser(), "alice");
    await alice.get("/dashboard");
    const asked = host.asked;
    host.repositories.set("alice", []);
    clock.steady = KEPT_MS - 1;
    expect((await alice.get("/dashboard")).status).toBe(200);
    expect(host.asked).toBe(asked + 1);
    clock.steady = KEPT_MS;
    expect((await alice.get("/dashboard")).status).toBe(403);
    expect(seen).toEqual([[SHOP], [SHOP]]);
    expect(KEPT_MS).toBeLessThanOrEqual(5 * 60_000);
  });

  it.each(["alice", "root"])("ends the session of %s when GitHub does not know the token any more", async (login) => {
    const { browser, host } = await open();
    const one = await signedIn(browser(), login);
    const other = await signedIn(browser(), login);
    expect((await one.get("/dashboard")).status).toBe(200);
    host.revoked.push(`token of ${login}`);
    expect((await one.get("/dashboard")).status).toBe(401);
    expect(one.set.at(-1)).toMatch(/^__Host-magis-session=;.*Max-Age=0/);
    expect((await other.get("/dashboard")).status).toBe(401);
  });

  it.each(["login", "repositories"] as const)("shows nothing while GitHub does not tell the %s", async (question) => {
    const { browser, host, clock } = await open();
    const alice = await signedIn(browser(), "alice");
    await alice.get("/dashboard");
    const asks = host.signIn[question];
    Object.assign(host.signIn, { [question]: () => Promise.reject(new Error("GitHub is down")) });
    clock.steady = KEPT_MS;
    const page = await alice.get("/dashboard");
    expect([page.status, /acme/.test(page.text)]).toEqual([503, false]);
    Object.assign(host.signIn, { [question]: asks });
    expect((await alice.get("/dashboard")).status).toBe(200);
  });

  it("signs out by a form of its own page alone, at GitHub, too", async () => {
    const { browser, host } = await open();
    const alice = await signedIn(browser(), "alice");
    for (const origin of ["https://evil.test", "null", undefined]) {
      expect((await alice.post("/dashboard/sign-out", origin)).status).toBe(403);
    }
    expect((await alice.get("/dashboard")).status).toBe(200);
    expect((await alice.post("/dashboard/sign-out", ORIGIN)).status).toBe(303);
    expect(host.revoked).toEqual(["token of alice"]);
    expect((await alice.get("/dashboard")).status).toBe(401);
  });

  it("signs out whoever has a copy of the cookie, too, and says so when GitHub cannot", async () => {
    const { browser, host } = await open();
    const alice = await signedIn(browser(), "alice");
    const copy = browser();
    for (const [name, value] of alice.cookies) copy.cookies.set(name, value);
    expect((await copy.get("/dashboard")).status).toBe(200);
    host.isDown = true;
    const page = await alice.post("/dashboard/sign-out", ORIGIN);
    expect([page.status, page.text]).toEqual([503, expect.stringContaining("you are still signed in")]);
    host.isDown = false;
    expect((await alice.post("/dashboard/sign-out", ORIGIN)).status).toBe(303);
    expect((await copy.get("/dashboard")).status).toBe(401);
  });
});

describe("a seal", () => {
  it("is opened by its own key and purpose alone, whole and in time", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 }), (value, at, change) => {
        let time = 0;
        const make = (secret: string, purpose: string) => createSeal<string>(secret, purpose, 10, () => time);
        const text = make("secret", "session").seal(value);
        expect(make("secret", "session").open(text)).toBe(value);
        expect(make("other", "session").open(text)).toBeUndefined();
        expect(make("secret", "sign-in").open(text)).toBeUndefined();
        const bytes = Buffer.from(text, "base64url");
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change;
        expect(make("secret", "session").open(bytes.toString("base64url"))).toBeUndefined();
        expect(make("secret", "session").open(text.slice(0, at % text.length))).toBeUndefined();
        time = 10_000;
        expect(make("secret", "session").open(text)).toBeUndefined();
      }),
    );
  });
});

/** The same browser after a sign-in; `last`: where that led. */
async function signedIn(browser: ReturnType<typeof createBrowser>, login: string, to = "/dashboard") {
  const begun = await browser.get(`/dashboard/sign-in?to=${encodeURIComponent(to)}`);
  const state = new URL(begun.location).searchParams.get("state");
  const { location } = await browser.get(`/dashboard/signed-in?code=${login}&state=${state}`);
  return { ...browser, last: location };
}
