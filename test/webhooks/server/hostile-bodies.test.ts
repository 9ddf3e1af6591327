import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { setInterval } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { startTestServer } from "./start-test-server.ts";

const MB = 1024 * 1024;
const PATH = "/api/github/webhooks";

let server: Awaited<ReturnType<typeof startTestServer>> | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

interface Sent {
  signature: string | undefined;
  bytes: number;
  /** the Content-Length; `bytes` by default */
  declared?: number;
  /** runs before the last piece is sent */
  beforeLast?: () => Promise<void>;
  afterLast?: (socket: Socket) => void;
}

/** Posts a body over a plain socket; gives the answer's status line and headers, or "" without an answer. */
async function send(
  port: number,
  { signature, bytes, declared = bytes, beforeLast, afterLast }: Sent,
): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => {
    answer += String(data);
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const headers: Record<string, string> = {
    host: "a",
    "content-type": "application/json",
    "x-github-event": "issues",
    "x-github-delivery": "guid-1",
    "content-length": String(declared),
    connection: "close",
  };
  if (signature !== undefined) headers["x-hub-signature-256"] = signature;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${PATH} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const piece = Buffer.alloc(MB, "x");
  for (let left = bytes; left > 0 && !socket.destroyed; left -= piece.length) {
    if (left <= piece.length) await beforeLast?.();
    const flushed = socket.write(piece.subarray(0, Math.min(left, piece.length)));
    if (!flushed) await Promise.race([once(socket, "drain"), closed]).catch(() => undefined);
  }
  afterLast?.(socket);
  await closed;
  return answer.split("\r\n\r\n")[0] ?? "";
}

/** How much the resident memory grows at most during `work`. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = globalThis.setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  await work();
  clearInterval(timer);
  return most - before;
}

const WRONG = `sha256=${"0".repeat(64)}`;

describe("unsigned bodies", () => {
  it.each([undefined, "", "sha256=1", `sha1=${"0".repeat(40)}`, `${WRONG}0`, "x".repeat(71)])(
    "are not kept when the signature is %j",
    async (signature) => {
      server = await startTestServer();
      const { port } = new URL(server.origin);
      const growth = await growthDuring(async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => send(Number(port), { signature, bytes: 24 * MB })),
        );
        for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      });
      expect(growth / MB).toBeLessThan(120);
    },
  );

  it("with a well-formed but wrong signature share a memory limit, and leave room for small deliveries", async () => {
    // What is tested is memory: on a busy machine sixteen large bodies take longer than the usual limit.
    server = await startTestServer({ requestLimit: 120_000 });
    const port = Number(new URL(server.origin).port);
    const count = 16;
    const gate = new EventEmitter();
    gate.setMaxListeners(count);
    let waiting = 0;
    const beforeLast = async () => {
      waiting += 1;
      if (waiting === count) gate.emit("full");
      await once(gate, "open");
    };
    const growth = await growthDuring(async () => {
      const full = once(gate, "full");
      const sent = Array.from({ length: count }, () => send(port, { signature: WRONG, bytes: 24 * MB, beforeLast }));
      await full;
      expect((await server?.post("ping", '{"zen":"Keep it."}'))?.status).toBe(200);
      gate.emit("open");
      const answers = await Promise.all(sent);
      const busy = answers.filter((answer) => answer.startsWith("HTTP/1.1 503 "));
      expect(busy.length).toBeGreaterThan(8);
      for (const answer of busy) expect(answer).toMatch(/retry-after: 60/i);
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (401|408|503) /);
    });
    expect(growth / MB).toBeLessThan(300);
    expect((await server.post("issues", "{}", { "x-hub-signature-256": WRONG })).status).toBe(401);
    // They give their memory back.
    expect(await send(port, { signature: WRONG, bytes: 24 * MB })).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("are refused when they declare too large a size, and dropped when they stand still or trickle", async () => {
    server = await startTestServer({ requestLimit: 5_000 });
    const port = Number(new URL(server.origin).port);
    expect(await send(port, { signature: WRONG, bytes: 26 * MB })).toMatch(/^HTTP\/1\.1 413 /);
    expect(await send(port, { signature: WRONG, bytes: MB, declared: 2 * MB })).toMatch(/^HTTP\/1\.1 408 /);
    const trickling = new AbortController();
    const trickle = async (socket: Socket) => {
      for await (const _ of setInterval(100, undefined, { signal: trickling.signal })) socket.write("x");
    };
    const answer = await send(port, {
      signature: WRONG,
      bytes: MB,
      declared: 2 * MB,
      afterLast: (socket) => void trickle(socket).catch(() => undefined),
    });
    trickling.abort();
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("keep no webhook out when hundreds hold back their end: the oldest are answered 503", async () => {
    server = await startTestServer();
    const port = Number(new URL(server.origin).port);
    const kilobytes = 64 * 1024;
    const sent = Array.from({ length: 700 }, () =>
      send(port, { signature: WRONG, bytes: kilobytes - 1, declared: kilobytes }),
    );
    await Promise.race(sent);
    const webhook = JSON.stringify({ zen: "x".repeat(kilobytes) });
    for (const _ of Array(5)) expect((await server.post("ping", webhook)).status).toBe(200);
    const answers = await Promise.all(sent);
    expect(answers.filter((answer) => answer.startsWith("HTTP/1.1 503 ")).length).toBeGreaterThan(100);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (503|408) /);
  });
});
