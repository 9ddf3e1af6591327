import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "@jest/globals";
import { takeFromChannel } from "../../../src/webhooks/server/start-server.ts";

const log = { debug: () => undefined, warn: () => undefined };

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("takeFromChannel", () => {
  it("forwards deliveries from the channel with their headers and the signed body", async () => {
    let push: (event: object) => void = () => undefined;
    const channel = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: ready\ndata: {}\n\n");
      push = (event) => void response.write(`data: ${JSON.stringify(event)}\n\n`);
    });
    const got: { path: string | undefined; signature: unknown; body: string }[] = [];
    const bot = await serve(async (request, response) => {
      let body = "";
      for await (const part of request) body += String(part);
      got.push({ path: request.url, signature: request.headers["x-hub-signature-256"], body });
      response.end();
      bot.server.emit("got");
    });
    const taken = await takeFromChannel(`${channel.url}/abc`, `${bot.url}/api/github/webhooks`, log);
    const arrived = once(bot.server, "got");
    push({ body: { action: "labeled", issue: { number: 1 } }, query: {}, "x-hub-signature-256": "sha256=00" });
    await arrived;
    expect(got).toEqual([
      { path: "/api/github/webhooks", signature: "sha256=00", body: '{"action":"labeled","issue":{"number":1}}' },
    ]);
    await taken.stop();
    for (const { server } of [channel, bot]) {
      server.closeAllConnections();
      server.close();
    }
  });
});
