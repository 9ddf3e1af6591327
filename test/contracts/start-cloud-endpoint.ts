import type { IncomingMessage, ServerResponse } from "node:http";
import { crc32 } from "node:zlib";
import { type Served, serve } from "../serve.ts";
import { CONTRACT_KEY } from "./language-model-contract.ts";

export interface CloudEndpoint extends Served {
  /** of requests that the real cloud would refuse */
  faults: readonly string[];
}

const BEDROCK = /^\/model\/([^/]+)\/invoke-with-response-stream$/;
const VERTEX =
  /^\/v1\/projects\/my-project\/locations\/europe-west1\/publishers\/anthropic\/models\/([^/:]+):streamRawPredict$/;

/**
 * A cloud on loopback in front of `upstream`, which speaks the Messages API: its paths, signatures and stream format.
 * Google's metadata server, which issues the token, is at the same address.
 */
export async function startCloudEndpoint(cloud: "bedrock" | "vertex", upstream: string): Promise<CloudEndpoint> {
  const faults: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://cloud");
    if (pathname.startsWith("/computeMetadata/")) return answerMetadata(pathname, response);
    const [, model] = (cloud === "bedrock" ? BEDROCK : VERTEX).exec(pathname) ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { anthropic_version: version, ...body } = JSON.parse(Buffer.concat(chunks).toString());
    const signed = cloud === "bedrock" ? /^AWS4-HMAC-SHA256 Credential=AKIA/ : /^Bearer google-token$/;
    if (model === undefined) faults.push(`unknown path ${pathname}`);
    if (!signed.test(request.headers.authorization ?? "")) faults.push("not signed");
    if (request.headers["x-api-key"] !== undefined) faults.push("a key of another provider was sent");
    if (body.model !== undefined || version === undefined) faults.push("the body is not the cloud's");
    const answer = await fetch(`${upstream}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "upstream", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ ...body, model: decodeURIComponent(model ?? ""), stream: true }),
    });
    const wait = answer.headers.get("retry-after");
    if (wait !== null) response.setHeader("retry-after", wait);
    if (answer.status !== 200 || answer.body === null) {
      response.writeHead(answer.status, { "content-type": "application/json" });
      const { error } = (await answer.json()) as { error: { message: string } };
      response.end(JSON.stringify(cloud === "bedrock" ? { message: error.message } : { error }));
      return;
    }
    const type = cloud === "bedrock" ? "application/vnd.amazon.eventstream" : "text/event-stream";
    response.writeHead(200, { "content-type": type });
    let text = "";
    const decoder = new TextDecoder();
    for await (const piece of answer.body) {
      if (cloud === "vertex") response.write(piece);
      text += decoder.decode(piece, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      if (cloud === "bedrock") for (const frame of lines.flatMap(toFrame)) response.write(frame);
    }
    response.end();
  };
  const served = await serve((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return { ...served, faults };
}

/** The environment that sends the SDKs to the endpoint at `url`. */
export function cloudEnvironment(url: string): Readonly<Record<string, string>> {
  return {
    AWS_ACCESS_KEY_ID: "AKIAEXAMPLE",
    AWS_SECRET_ACCESS_KEY: CONTRACT_KEY,
    AWS_REGION: "eu-central-1",
    ANTHROPIC_BEDROCK_BASE_URL: url,
    ANTHROPIC_VERTEX_BASE_URL: `${url}/v1`,
    CLOUD_ML_REGION: "europe-west1",
    ANTHROPIC_VERTEX_PROJECT_ID: "my-project",
    // Without this the SDK starts gcloud at each call.
    GOOGLE_CLOUD_PROJECT: "my-project",
    GCE_METADATA_HOST: url.replace("http://", ""),
    METADATA_SERVER_DETECTION: "assume-present",
    // Neither the key of Anthropic's own API nor files of this machine may matter.
    ANTHROPIC_API_KEY: "another-provider's",
    GOOGLE_APPLICATION_CREDENTIALS: "",
    CLOUDSDK_CONFIG: "/nonexistent",
  };
}

/** Answers like Google's metadata server: the machine's project, and a token. */
export function answerMetadata(path: string, response: ServerResponse): void {
  response.setHeader("metadata-flavor", "Google");
  if (path.endsWith("/token")) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: "google-token", expires_in: 3600, token_type: "Bearer" }));
  } else response.end(path.endsWith("/universe-domain") ? "googleapis.com" : "my-project");
}

/** A line of server-sent events as a message of Amazon's event stream. */
function toFrame(line: string): Buffer[] {
  if (!line.startsWith("data: ")) return [];
  const json = line.slice("data: ".length);
  const { type, error } = JSON.parse(json) as { type: string; error?: { message: string } };
  if (type === "ping") return [];
  if (type === "error") {
    const headers = { ":message-type": "exception", ":exception-type": "serviceUnavailableException" };
    return [frame(headers, JSON.stringify({ message: error?.message }))];
  }
  const payload = JSON.stringify({ bytes: Buffer.from(json).toString("base64") });
  return [frame({ ":message-type": "event", ":event-type": "chunk", ":content-type": "application/json" }, payload)];
}

const STRING = 7;

function frame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const size = Buffer.alloc(2);
      size.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([STRING]),
        size,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  const start = Buffer.concat([prelude, sum(prelude), head, body]);
  return Buffer.concat([start, sum(start)]);
}

function sum(bytes: Buffer): Buffer {
  const written = Buffer.alloc(4);
  written.writeUInt32BE(crc32(bytes));
  return written;
}
