import { type IncomingHttpHeaders, request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type SetupPlace, type SetupServer, startSetup } from "../../../src/commands/setup/setup-server.ts";
import type { NewApp } from "../../../src/github/app-registration.ts";
import { freePort } from "./free-port.ts";

const EVIL = "evil.example";

const HOUR_MS = 3_600_000;

let server: SetupServer;
let printed: string[];
let exchanged: string[];
let kept: Readonly<Record<string, string>>[];
let clock: number;
/** Resolves the exchanges that wait. */
let release: () => void;

afterEach(() => server.close());

/** The pages of a server that listens on `place`, before anybody has opened them. */
async function listening(place: Partial<SetupPlace> = {}): Promise<void> {
  printed = [];
  exchanged = [];
  kept = [];
  clock = 0;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await startSetup(
    {
      app: {
        manifest: {},
        webUrl: "https://host.example",
        url: "https://bot.example",
        webhookPath: "/hook",
      },
      label: "magis",
      commands: { start: "magis start", magis: "magis" },
      becomesBot: true,
      world: {
        registration: {
          async exchange(code): Promise<NewApp> {
            exchanged.push(code);
            await released;
            const id = exchanged.length;
            return {
              id,
              slug: "magis",
              page: "https://host.example/apps/magis",
              privateKey: "pem",
              webhookSecret: "hook",
              clientId: "Iv1",
              clientSecret: "client",
            };
          },
          repositories: async () => [],
          createLabel: async () => undefined,
        },
        openChannel: async () => undefined,
        tell: (text) => void printed.push(text),
        async keep(values) {
          kept.push(values);
          return [".env"];
        },
        examine: async () => [],
      },
    },
    { host: "127.0.0.1", port: 0, now: () => clock, ...place },
  );
}

interface Sent {
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
}

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request as it is given, to where the server really listens. */
function send({ method = "GET", path, headers = {}, body }: Sent): Promise<Got> {
  const { port, host } = new URL(server.address);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: listenedOn ?? port, method, path, headers: { host, ...headers } });
    sent.on("error", reject).on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.end(body);
  });
}

/** The real port, where the address that is said has another. */
let listenedOn: number | undefined;

/** Opens the printed address; gives the cookie. */
async function letIn(): Promise<string> {
  const { pathname, search } = new URL(server.address);
  const { status, headers } = await send({ path: `${pathname}${search}` });
  expect(status).toBe(303);
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

const manifestIn = ({ text }: Got) => {
  const [, manifest = ""] = /name="manifest" value="([^"]+)"/.exec(text) ?? [];
  return JSON.parse(manifest.replaceAll("&#34;", '"').replaceAll("&quot;", '"')) as { redirect_url: string };
};

const stateIn = ({ text }: Got) => /state=([\w-]+)/.exec(text)?.[1] ?? "";

describe("a server that listens on every interface and waits for the setup", () => {
  beforeEach(() => {
    listenedOn = undefined;
    return listening({ host: "0.0.0.0" });
  });

  it.each([
    { name: "another host with the right port", headers: { host: `${EVIL}:PORT` } },
    { name: "the right host with another port", headers: { host: "localhost:1" } },
    { name: "a name that ends in ours", headers: { host: `localhost:PORT.${EVIL}` } },
    { name: "an address of its own", headers: { host: "127.0.0.1:PORT" } },
    { name: "no host", headers: { host: "" } },
  ])("refuses $name, even from an admitted browser", async ({ headers }) => {
    const { port, search } = new URL(server.address);
    const host = headers.host.replace("PORT", port);
    const cookie = await letIn();
    for (const path of ["/setup", `/setup${search}`, "/setup/registered?code=c&state=s"]) {
      const { status, text } = await send({ path, headers: { host, cookie } });
      expect([400, 421]).toContain(status);
      expect(text).not.toContain("manifest");
    }
  });

  it.each<Record<string, string>>([
    { "x-forwarded-host": EVIL },
    { forwarded: `host=${EVIL};proto=https` },
    { origin: `https://${EVIL}`, referer: `https://${EVIL}/` },
  ])("takes no address from %j", async (headers) => {
    const cookie = await letIn();
    const page = await send({ path: "/setup", headers: { cookie, ...headers } });
    expect(manifestIn(page).redirect_url).toBe(`${new URL(server.address).origin}/setup/registered`);
    expect(page.text).not.toContain(EVIL);
  });

  it("ignores an absolute address in a request", async () => {
    const cookie = await letIn();
    const { status, text } = await send({ path: `http://${EVIL}/setup`, headers: { cookie } });
    expect({ status, text: text.includes("manifest") }).toEqual({ status: 404, text: false });
  });

  it("needs the secret that was printed, once", async () => {
    for (const path of ["/setup", "/setup?token=", "/setup?token=guessed", "/setup/registered?code=c&state=s"]) {
      expect((await send({ path })).status).toBe(403);
    }
    const { search } = new URL(server.address);
    const twice = await Promise.all([send({ path: `/setup${search}` }), send({ path: `/setup${search}` })]);
    expect(twice.map(({ status }) => status).sort()).toEqual([303, 403]);
    expect((await send({ path: `/setup${search}`, headers: { cookie: "magis-setup=guessed" } })).status).toBe(403);
  });

  it("prints a new secret when the first is used too late, and refuses the old one", async () => {
    const { search } = new URL(server.address);
    clock = HOUR_MS + 1;
    expect((await send({ path: `/setup${search}` })).status).toBe(403);
    expect(printed).toEqual([expect.stringContaining("/setup?token=")]);
    expect((await send({ path: `/setup${search}` })).status).toBe(403);
    expect(printed).toHaveLength(1);
    const [again = ""] = /\/setup\?token=\S+/.exec(printed[0] ?? "") ?? [];
    expect((await send({ path: again })).status).toBe(303);
  });

  it("reports that it is live and not ready", async () => {
    expect(await send({ path: "/healthz", headers: { host: "10.0.0.1" } })).toMatchObject({ status: 200, text: "ok" });
    expect((await send({ path: "/readyz", headers: { host: "10.0.0.1" } })).status).toBe(503);
  });
});

describe("the address of the pages", () => {
  it("comes from the operator, behind a proxy that speaks https", async () => {
    const free = await freePort();
    listenedOn = free;
    await listening({ host: "0.0.0.0", port: free, url: "https://magis.example.com/somewhere" });
    expect(server.address).toMatch(/^https:\/\/magis\.example\.com\/setup\?token=/);
    const { search } = new URL(server.address);
    const { headers } = await send({ path: `/setup${search}` });
    expect(headers["set-cookie"]?.[0]).toMatch(/; HttpOnly; SameSite=Lax; Path=\/setup; Secure$/);
    const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    const page = await send({ path: "/setup", headers: { cookie } });
    expect(manifestIn(page).redirect_url).toBe("https://magis.example.com/setup/registered");
    expect((await send({ path: "/setup", headers: { cookie, host: `localhost:${free}` } })).status).toBe(421);
  });
});

describe("the pages of the setup", () => {
  let cookie: string;
  let state: string;
  let origin: string;
  beforeEach(async () => {
    listenedOn = undefined;
    await listening();
    cookie = await letIn();
    state = stateIn(await send({ path: "/setup", headers: { cookie } }));
    ({ origin } = new URL(server.address));
  });
  const get = (path: string, method = "GET") => send({ method, path, headers: { cookie } });
  const post = (path: string, headers: Sent["headers"], body: string) =>
    send({
      method: "POST",
      path,
      headers: { cookie, "content-type": "application/x-www-form-urlencoded", ...headers },
      body,
    });

  it.each([
    "/setup/../setup",
    "/setup/",
    "//setup",
    "/setup%2fregistered",
    "/setup;x=1",
    "/constructor",
    `//${EVIL}/setup`,
    "/",
  ])("are where they are, and not at %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it.each(["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"])("refuse a request by %s", async (method) => {
    expect((await get("/setup", method)).status).toBe(405);
    expect((await get(`/setup/registered?code=c&state=${state}`, method)).status).toBe(405);
    expect(exchanged).toEqual([]);
  });

  it.each([undefined, "null", `https://${EVIL}`, "ORIGIN.evil.example", "http://localhost"])(
    "refuse a form sent from %s",
    async (from) => {
      const headers: Record<string, string> = from === undefined ? {} : { origin: from.replace("ORIGIN", origin) };
      for (const path of ["/setup/register", "/setup/finish"]) {
        expect((await post(path, headers, "url=https%3A%2F%2Fevil.example")).status).toBe(403);
      }
      expect(kept).toEqual([]);
    },
  );

  it("refuse a form that is too large, whatever length it declares", async () => {
    const body = `url=${"x".repeat(100_000)}`;
    expect((await post("/setup/register", { origin }, body)).status).toBe(413);
    expect((await post("/setup/register", { origin, "transfer-encoding": "chunked" }, body)).status).toBe(413);
    expect((await get("/setup")).status).toBe(200);
  });

  it.each(["", "?code=c", "?code=c&state=", "?code=c&state=guessed", "?state=STATE", "?code=&state=STATE"])(
    "refuse an answer from the host that is not for this registration: %j",
    async (query) => {
      expect((await get(`/setup/registered${query.replace("STATE", state)}`)).status).toBe(403);
      expect(exchanged).toEqual([]);
    },
  );

  it("belong to the browser that began, whatever another one knows", async () => {
    const path = `/setup/registered?code=c&state=${state}`;
    for (const other of ["", "magis-setup=guessed", "magis-setup="]) {
      expect((await send({ path, headers: { cookie: other } })).status).toBe(403);
    }
    expect(exchanged).toEqual([]);
  });

  it("register one app when two answers come at once, and say so to the second", async () => {
    const answers = ["one", "two"].map((code) => get(`/setup/registered?code=${code}&state=${state}`));
    release();
    const got = await Promise.all(answers);
    expect(got.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(got.find(({ status }) => status === 409)?.text).toContain("magis (1) is registered already");
    expect(exchanged).toHaveLength(1);
    expect(kept).toEqual([
      {
        APP_ID: "1",
        WEBHOOK_SECRET: "hook",
        PRIVATE_KEY: "pem",
        GITHUB_CLIENT_ID: "Iv1",
        GITHUB_CLIENT_SECRET: "client",
      },
    ]);
  });

  it("run no script, load nothing, stand in no frame and post to the host alone", async () => {
    const { headers, text } = await get("/setup");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action https://host.example");
    expect(policy).not.toMatch(/unsafe|script-src/);
    expect(text).not.toMatch(/<script|\son\w+=|style=/);
    expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  });
});
