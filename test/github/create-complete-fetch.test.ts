import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createCompleteFetch } from "../../src/github/client.ts";

describe("createCompleteFetch", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/silent") return;
      if (request.url === "/empty") return void response.writeHead(204).end();
      response.writeHead(201, { "x-kind": "whole" }).write("first ");
      if (request.url === "/whole") response.end("last");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );

  it("passes on status, headers and the whole body", async () => {
    const response = await createCompleteFetch(fetch, 10_000)(`${url}/whole`);
    expect([response.status, response.headers.get("x-kind"), await response.text()]).toEqual([
      201,
      "whole",
      "first last",
    ]);
    expect((await createCompleteFetch(fetch, 10_000)(`${url}/empty`)).status).toBe(204);
  });

  it.each(["/silent", "/half"])("fails in time when the answer stops at %s", async (path) => {
    await expect(createCompleteFetch(fetch, 200)(url + path)).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
