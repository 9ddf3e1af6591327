import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { sign } from "@octokit/webhooks-methods";
import { MagisError } from "../../../src/data/error.ts";
import { listen } from "../../../src/webhooks/server/start-server.ts";
import { labeledPayload, SECRET, startTestServer, type TestServerOptions } from "./start-test-server.ts";

let open: { close(graceMs: number): Promise<void> }[] = [];
async function start(options: TestServerOptions = {}) {
  const server = await startTestServer(options);
  open.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(open.map((server) => server.close(0)));
  open = [];
});

describe("a webhook", () => {
  it("is verified, parsed by the Probot application and kept", async () => {
    const server = await start();
    expect(await server.post("issues", labeledPayload())).toMatchObject({ status: 200, text: "ok\n" });
    expect(server.received).toEqual([expect.objectContaining({ id: "guid-1", issue: 3, actor: "ada" })]);
  });

  it("carries the digest of the signed text, whatever its id, event and bytes", async () => {
    const server = await start();
    const body = JSON.stringify({ ...JSON.parse(labeledPayload()), extra: "\ufffd" });
    await server.post("issues", body);
    await server.post("issues", body, { "x-github-delivery": "guid-2" });
    const [before = "", after = ""] = body.split("\ufffd");
    const bytes = Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]);
    expect(bytes.toString("utf8")).toBe(body);
    const headers = { "content-type": "application/json", "x-github-event": "issues", "x-github-delivery": "guid-3" };
    const signature = { "x-hub-signature-256": await sign(SECRET, body) };
    await server.ask("/api/github/webhooks", { method: "POST", body: bytes, headers: { ...headers, ...signature } });
    await server.post("issues", labeledPayload("other"), { "x-github-delivery": "guid-4" });
    const digests = server.received.map(({ digest }) => digest);
    expect(digests[0]).toBe(createHash("sha256").update(body).digest("hex"));
    expect(new Set(digests).size).toBe(2);
  });

  it("is answered at once when it starts nothing: an unknown event, a ping", async () => {
    const server = await start();
    for (const name of ["ping", "push", "an_event_of_the_future", "constructor"]) {
      expect([name, (await server.post(name, '{"zen":"Keep it."}')).status]).toEqual([name, 200]);
    }
    expect(server.received).toEqual([]);
    expect(server.logged()).toContain("webhook ping: the secret matches");
  });

  it("is refused with a plain sentence when it is malformed", async () => {
    const server = await start();
    const good = labeledPayload();
    const cases = [
      [401, await server.post("issues", good, { "x-hub-signature-256": undefined })],
      [401, await server.post("issues", good, { "x-hub-signature-256": `sha256=${"0".repeat(64)}` })],
      [401, await server.post("issues", `${good} `, { "x-hub-signature-256": "sha256=1" })],
      [401, await server.post("issues", "")],
      [415, await server.post("issues", good, { "content-type": "application/x-www-form-urlencoded" })],
      [400, await server.post("issues", "{")],
      [400, await server.post("issues", "[1]")],
      [400, await server.post("issues", "null")],
      [400, await server.post("issues", good, { "x-github-delivery": undefined })],
      [400, await server.post("issues", good, { "x-github-event": undefined })],
      [400, await server.post("error", good)],
      [405, await server.ask("/api/github/webhooks")],
    ] as const;
    for (const [index, [status, answer]] of cases.entries()) {
      expect([index, answer.status]).toEqual([index, status]);
      expect(answer.text).toMatch(/^[A-Z][^\n]*\.\n$/);
    }
    expect(server.received).toEqual([]);
  });

  it("stays out of the log when its signature is wrong", async () => {
    const server = await start();
    await server.post("issues", labeledPayload(), { "x-hub-signature-256": `sha256=${"0".repeat(64)}` });
    expect(server.logged()).toContain("does not match the webhook secret");
    expect(server.logged()).not.toContain("CONFIDENTIAL");
    expect(server.logged()).not.toContain(SECRET);
  });

  it("is refused with 413 at 26 MB and accepted at 24 MB", async () => {
    const server = await start();
    const sized = (megabytes: number) => labeledPayload("magis", "x".repeat(megabytes * 1024 * 1024));
    expect((await server.post("issues", sized(26))).status).toBe(413);
    expect((await server.post("issues", sized(24))).status).toBe(200);
    expect(server.received).toHaveLength(1);
  });

  it("gets 500 without the internal message when the database fails; the log has the message, not the payload", async () => {
    const receive = async () => {
      throw new MagisError("DATABASE_UNAVAILABLE", "database at 10.1.2.3 is down", {}, new Error("ECONNREFUSED"));
    };
    const server = await start({ receive });
    const answer = await server.post("issues", labeledPayload());
    expect(answer.status).toBe(500);
    expect(answer.text).toMatch(/^The delivery could not be kept\. Please redeliver it/);
    expect(answer.text).not.toContain("10.1.2.3");
    expect(server.logged()).toContain("database at 10.1.2.3 is down");
    expect(server.logged()).toContain("DATABASE_UNAVAILABLE");
    expect(server.logged()).not.toContain("CONFIDENTIAL");
  });

  it("gets 503, not 202, when keeping it takes too long", async () => {
    let release: (outcome: "recorded") => void = () => {};
    const held = new Promise<"recorded">((resolve) => {
      release = resolve;
    });
    const server = await start({ receive: () => held, webhookLimit: 50 });
    expect((await server.post("issues", labeledPayload())).status).toBe(503);
    release("recorded");
  });
});

describe("the other routes", () => {
  it("tell by /healthz that the process is alive, and by /readyz whether it can work", async () => {
    let answer: () => Promise<boolean> = async () => false;
    const server = await start({ ready: () => answer() });
    expect((await server.ask("/healthz")).status).toBe(200);
    expect((await server.ask("/readyz")).status).toBe(503);
    answer = async () => true;
    expect((await server.ask("/readyz?x=1")).status).toBe(200);
    expect((await server.ask("/readyz", { method: "HEAD" })).status).toBe(200);
    answer = async () => {
      throw new Error("no database");
    };
    expect((await server.ask("/readyz")).status).toBe(503);
    answer = () => new Promise(() => {});
    expect((await server.ask("/readyz")).status).toBe(503);
    expect((await server.ask("/healthz", { method: "POST" })).status).toBe(405);
  });

  it("leave a connection open for longer than a proxy keeps one, so that no webhook meets its end", async () => {
    const { headers } = await (await start()).ask("/healthz");
    expect(Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(60);
  });

  it("include none of Probot's pages: no set-up, no import, no landing page", async () => {
    const server = await start();
    for (const path of ["/", "/probot", "/probot/setup", "/probot/import", "/ping", "//", "/api/github"]) {
      expect([path, (await server.ask(path)).status]).toEqual([path, 404]);
    }
    expect((await server.ask("/probot/import", { method: "POST", body: "{}" })).status).toBe(404);
  });
});

describe("startServer", () => {
  it("answers pending requests before it closes, and accepts no more", async () => {
    let release: (outcome: "recorded") => void = () => {};
    let arrived: () => void = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const receive = () => {
      arrived();
      return new Promise<"recorded">((resolve) => {
        release = resolve;
      });
    };
    const server = await start({ receive });
    const answer = server.post("issues", labeledPayload());
    await arrival;
    const closed = server.close(30_000);
    release("recorded");
    expect(await answer).toMatchObject({ status: 200 });
    await closed;
    await expect(server.ask("/healthz")).rejects.toThrow();
  });

  it("does not wait for a client that sends nothing", async () => {
    const server = await start();
    const socket = connect(server.port, "127.0.0.1");
    const gone = new Promise<void>((resolve) => {
      socket.once("close", () => resolve());
    });
    socket.on("error", () => {});
    socket.resume();
    await new Promise<void>((resolve) => {
      socket.write("POST /api/github/webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{", () => resolve());
    });
    await server.close(50);
    await gone;
  });

  it("reports in a sentence that the port is in use", async () => {
    const first = createServer();
    await listen(first, "127.0.0.1", 0);
    const { port } = first.address() as AddressInfo;
    const failure = listen(createServer(), "127.0.0.1", port);
    await expect(failure).rejects.toMatchObject({
      code: "CONFIGURATION_INVALID",
      message: `Port ${port} is in use: stop the program that has it, or set PORT to another.`,
    });
    await new Promise((resolve) => first.close(resolve));
  });
});
