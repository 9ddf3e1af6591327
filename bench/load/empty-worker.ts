// A handler that reads a request and answers: what any answer costs on this machine meanwhile.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => response.writeHead(200, { "content-type": "text/plain" }).end("ok\n"));
});
server.listen(0, "127.0.0.1", () => console.log(`listening on port ${(server.address() as AddressInfo).port}`));
process.once("SIGTERM", () => process.exit(0));
