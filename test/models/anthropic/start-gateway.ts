import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Gateway {
  url: string;
  stop(): Promise<void>;
}

/** An endpoint that answers every call with the same status, content type and body; `end: false` leaves it open. */
export async function startGateway(status: number, type: string, body: string, end = true): Promise<Gateway> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": type });
    response.write(body);
    if (end) response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}
