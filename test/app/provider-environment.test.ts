import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { openModel } from "../../src/app/open-model.ts";
import type { Config } from "../../src/settings/environment/config.ts";
import { readCommandConfig } from "../../src/settings/environment/read-config.ts";
import { answerMetadata } from "../contracts/start-cloud-endpoint.ts";
import { caught } from "../models/anthropic/caught.ts";
import { scriptedRequest } from "../scripted-model/scripted-request.ts";

const LOG = { debug: () => undefined, warn: () => undefined };
const PACKAGES = join(import.meta.dirname, "..", "..", "node_modules");
const SDKS = ["@anthropic-ai/sdk", "@anthropic-ai/bedrock-sdk", "@anthropic-ai/vertex-sdk", "openai"];

/** Every variable that the SDKs' sources mention. */
function variablesOfSdks(): readonly string[] {
  const names = SDKS.flatMap((sdk) =>
    readdirSync(join(PACKAGES, sdk), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".mjs") && !file.includes("node_modules"))
      .flatMap((file) => {
        const source = readFileSync(join(PACKAGES, sdk, file), "utf8");
        return [...source.matchAll(/(?:readEnv\(|env\[|env\.get\(|env\.)['"]?([A-Z][A-Z\d_]{3,})/g)].map(
          ([, name]) => name,
        );
      }),
  );
  return [...new Set(names.flatMap((name) => name ?? []))];
}

/** Variables that the machine needs to find programs and files; no client sends them. */
const OF_THE_MACHINE = new Set(["PATH", "HOME", "NODE_ENV", "APPDATA", "USERPROFILE", "XDG_CONFIG_HOME"]);

const MARK = "foreign-mark";

/** A recognisable value in the variable's form. */
function foreignValue(name: string): string {
  if (name.endsWith("_URL") || name.endsWith("_ENDPOINT")) return `http://${MARK}.invalid`;
  if (name.endsWith("_CUSTOM_HEADERS")) {
    const names = [
      "X-Org",
      "authorization",
      "X-Api-Key",
      "anthropic-beta",
      "anthropic-version",
      "User-Agent",
      "Cookie",
    ];
    return names.map((header) => `${header}: ${MARK}`).join("\n");
  }
  return MARK;
}

const NAMES = { MAGIS_MODEL_FAST: "small", MAGIS_MODEL_STRONG: "big", MAGIS_PRICES: "small=1/5,big=4/20" };

type ChosenAt = (url: string) => Readonly<Record<string, string>>;

/** The settings that a test chooses for each provider; they override the environment. */
const CHOSEN: Readonly<Record<string, ChosenAt>> = {
  anthropic: (url) => ({ ANTHROPIC_API_KEY: "own-key", ANTHROPIC_BASE_URL: url }),
  openai: (url) => ({ OPENAI_API_KEY: "own-key", OPENAI_BASE_URL: `${url}/v1` }),
  bedrock: (url) => ({
    ANTHROPIC_BEDROCK_BASE_URL: url,
    AWS_REGION: "eu-central-1",
    AWS_BEARER_TOKEN_BEDROCK: "",
    AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "own-secret",
  }),
  vertex: (url) => ({
    ANTHROPIC_VERTEX_BASE_URL: `${url}/v1`,
    CLOUD_ML_REGION: "europe-west1",
    ANTHROPIC_VERTEX_PROJECT_ID: "my-project",
    GOOGLE_CLOUD_PROJECT: "my-project",
    GCE_METADATA_HOST: url.replace("http://", ""),
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
    CLOUDSDK_CONFIG: "/nonexistent",
  }),
} satisfies Readonly<Record<Config["model"]["provider"], ChosenAt>>;

describe("the clients of models", () => {
  const before = { ...process.env };
  let heard: string[];
  let refusal: (response: ServerResponse) => void;
  let url: string;
  let stop: () => Promise<void>;

  /** Start one server for all tests: the SDK reads the metadata server's address once per process. */
  async function listen(): Promise<void> {
    const own: string[] = [];
    heard = own;
    const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { pathname } = new URL(request.url ?? "/", url);
      if (pathname.startsWith("/computeMetadata/")) return answerMetadata(pathname, response);
      own.push(JSON.stringify([request.method, request.url, request.rawHeaders, body]));
      refusal(response);
    };
    const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stop = async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    };
  }
  beforeAll(listen);
  afterAll(() => stop());
  beforeEach(() => {
    refusal = (response) => response.writeHead(400, { "content-type": "application/json" }).end('{"message":"no"}');
    heard.length = 0;
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  });

  async function askOnce(provider: string) {
    const chosen = CHOSEN[provider]?.(url) ?? {};
    Object.assign(process.env, chosen);
    const { model } = readCommandConfig({}, undefined, { ...NAMES, ...chosen, MAGIS_PROVIDER: provider });
    const opened = await openModel(model, LOG, 20_000);
    return caught(opened.complete(scriptedRequest(), new AbortController().signal));
  }

  it("are searched for the variables that they read", () => {
    const found = variablesOfSdks();
    for (const name of [
      "ANTHROPIC_CUSTOM_HEADERS",
      "ANTHROPIC_AUTH_TOKEN",
      "OPENAI_ORG_ID",
      "AWS_BEARER_TOKEN_BEDROCK",
    ])
      expect(found).toContain(name);
  });

  it.each(Object.keys(CHOSEN))("of %s send nothing that only the environment sets for their SDK", async (provider) => {
    for (const name of variablesOfSdks()) if (!OF_THE_MACHINE.has(name)) process.env[name] = foreignValue(name);
    await askOnce(provider);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.filter((request) => request.includes(MARK))).toEqual([]);
  });

  it.each(Object.keys(CHOSEN).flatMap((provider) => [302, 307].map((status) => [provider, status] as const)))(
    "of %s do not follow a redirect (%i) with a prompt or a key",
    async (provider, status) => {
      const ours = { heard, stop, url };
      await listen();
      const other = { heard, stop };
      const target = url;
      ({ heard, stop, url } = ours);
      refusal = (response) => response.writeHead(status, { location: `${target}/v1/messages` }).end();
      const failure = await askOnce(provider);
      await other.stop();
      expect(other.heard).toEqual([]);
      expect(failure).toMatchObject({ code: "MODEL_REJECTED", data: { money: 0 } });
      expect(failure.message).toContain("set the base URL to the address that is meant");
    },
  );

  it.each(["anthropic", "openai"])("of %s never leak part of the key in an error or its cause", async (provider) => {
    const key = `sk-${"abcdefghijklmnopqrstuvwxyz0123456789".repeat(2)}`;
    const named = { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key };
    for (const length of [40, 200, 260, 275, 290, 400]) {
      const message = `${"x".repeat(length)} ${key}`;
      refusal = (response) =>
        response
          .writeHead(400, { "content-type": "application/json" })
          .end(JSON.stringify({ error: { type: "invalid_request_error", message } }));
      const chosen = { ...CHOSEN[provider]?.(url), ...named };
      const { model } = readCommandConfig({}, undefined, { ...NAMES, ...chosen, MAGIS_PROVIDER: provider });
      const opened = await openModel(model, LOG, 20_000);
      const failure = await caught(opened.complete(scriptedRequest(), new AbortController().signal));
      const { message: said = "", stack = "" } = failure.cause as Error;
      expect(failure.message).toContain("It said: xxx");
      expect(`${failure.message}${failure.stack}${said}${stack}`).not.toMatch(/abcdefgh|01234567|stuvwxyz/);
    }
  });

  it("cut off an endless answer", async () => {
    const { createProviderFetch } = await import("../../src/models/provider-fetch.ts");
    refusal = (response) => response.end("x".repeat(2_000));
    const door = createProviderFetch({ baseUrl: url, maxBytes: 1_000 });
    await expect(door(`${url}/v1/messages`).then((answer) => answer.text())).rejects.toThrow(
      "the answer is larger than 1000 bytes",
    );
    await expect(
      createProviderFetch({ baseUrl: url, maxBytes: 2_000 })(url).then((one) => one.text()),
    ).resolves.toHaveLength(2_000);
    expect((await door("http://127.0.0.2:9/results")).status).toBe(421);
  });
});
