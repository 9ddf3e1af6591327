import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verify } from "@octokit/webhooks-methods";

export interface HeardHook {
  event: string;
  guid: string;
  /** Whether the signature is valid. */
  genuine: boolean;
  payload: { action?: string };
}

export interface Listener {
  url: string;
  heard: HeardHook[];
  close(): Promise<void>;
}

/** Listens in place of a bot, and records the webhooks. */
export async function startListener(secret: string): Promise<Listener> {
  const heard: HeardHook[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { "x-github-event": event, "x-github-delivery": guid, "x-hub-signature-256": signature } = request.headers;
    const genuine = await verify(secret, body, String(signature));
    const payload = JSON.parse(body) as HeardHook["payload"];
    heard.push({ event: String(event), guid: String(guid), genuine, payload });
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
