import { type Served, serve } from "../../serve.ts";

/** An endpoint that answers every call with the same status, content type and body; `end: false` leaves it open. */
export function startGateway(status: number, type: string, body: string, end = true): Promise<Served> {
  return serve((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": type });
    response.write(body);
    if (end) response.end();
  });
}
