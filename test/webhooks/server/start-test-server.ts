import { Writable } from "node:stream";
import { sign } from "@octokit/webhooks-methods";
import { pino } from "pino";
import type { Delivery, InstallationScope } from "../../../src/data/run-request.ts";
import type { MemoryScope } from "../../../src/run/evolution-memory.ts";
import { createApp } from "../../../src/webhooks/app.ts";
import { startServer } from "../../../src/webhooks/server/start-server.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";

export const SECRET = "a-webhook-secret";
const PATH = "/api/github/webhooks";

export interface TestServerOptions {
  receive?: (delivery: Delivery) => Promise<"recorded" | "known">;
  forget?: (scope: MemoryScope) => Promise<number>;
  withdraw?: (scope: InstallationScope) => Promise<void>;
  ready?: () => Promise<boolean>;
  webhookLimit?: number;
  requestLimit?: number;
}

/** Starts the server on a free port; `received`, `forgotten` and `logged` fill up as it works. Close it at the end. */
export async function startTestServer(options: TestServerOptions = {}) {
  const received: Delivery[] = [];
  const forgotten: MemoryScope[] = [];
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: "trace" }, sink);
  const receive = async (delivery: Delivery) => {
    received.push(delivery);
    return (await options.receive?.(delivery)) ?? "recorded";
  };
  const forget = async (scope: MemoryScope) => {
    forgotten.push(scope);
    return (await options.forget?.(scope)) ?? 0;
  };
  const server = await startServer({
    app: createApp({ receive, forget, withdraw: options.withdraw ?? (async () => undefined), log }),
    github: { appId: 7, privateKey: rsaKey(), webhookSecret: SECRET, apiUrl: "http://127.0.0.1:9/api/v3" },
    server: { host: "127.0.0.1", port: 0, webhookPath: PATH },
    ready: options.ready ?? (async () => true),
    log,
    webhookLimit: options.webhookLimit,
    requestLimit: options.requestLimit,
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${origin}${path}`, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  /** Posts a webhook; a header set to undefined is left out. */
  const post = async (name: string, body: string, change: Record<string, string | undefined> = {}) => {
    const headers = {
      "content-type": "application/json",
      "x-github-event": name,
      "x-github-delivery": "guid-1",
      "x-hub-signature-256": await sign(SECRET, body || " "),
      ...change,
    };
    const given = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
    return await ask(PATH, { method: "POST", body, headers: given });
  };
  return { ...server, origin, ask, post, received, forgotten, logged: () => logged.join("") };
}

/** The smallest `issues.labeled` payload, with a text that no log may show. */
export function labeledPayload(label = "magis", body = "CONFIDENTIAL"): string {
  return JSON.stringify({
    action: "labeled",
    installation: { id: 11 },
    repository: { name: "cat", owner: { login: "octo" } },
    sender: { login: "ada", type: "User" },
    issue: { number: 3, state: "open", locked: false, updated_at: "2026-11-20T10:00:00Z", body },
    label: { name: label },
  });
}
