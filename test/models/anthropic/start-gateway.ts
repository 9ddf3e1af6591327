import { type Served, serve } from "../../serve.ts";

/** An endpoint that answers every call with the same status, content type and body; `end: false` leaves it open. */
export function startGateway(status: number, type: string, body: string, end = true): Promise<Served> {
  return serve((request, response) => {
    request.resume();
    // A client that asks again does so at once.
    response.writeHead(status, { "content-type": type, "retry-after-ms": "1" });
    response.write(body);
    if (end) response.end();
  });
}
