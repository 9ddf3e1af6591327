import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createFetchImage } from "../../../src/github/api/images.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const PATH = "/user-attachments/assets/1";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A code host on loopback; `asked` holds its requests. */
async function start(answer: (request: IncomingMessage, response: ServerResponse, origin: string) => void) {
  const asked: IncomingMessage[] = [];
  let origin = "";
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response, origin);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const lines: object[] = [];
  const log = { warn: (data: object) => void lines.push(data) };
  const fetchImage = createFetchImage({ webUrl: origin, log });
  const fetched = (path = PATH) => fetchImage(`${origin}${path}`, async () => "t0ken", new AbortController().signal);
  return { origin, asked, lines, fetched, fetchImage };
}

describe("images of an issue", () => {
  it("are fetched with the configured host's token, and typed by their bytes", async () => {
    const { asked, fetched } = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(PNG);
    });
    expect(await fetched()).toEqual({
      mediaType: "image/png",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      data: PNG.toString("base64"),
    });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(["Bearer t0ken"]);
  });

  it("follow redirects only within the host", async () => {
    const other = await start((_, response) => void response.end(PNG));
    const { asked, fetched, lines } = await start(({ url }, response, origin) => {
      if (url === `${PATH}2`) response.end(PNG);
      else response.writeHead(302, { location: url === PATH ? `${origin}${PATH}2` : `${other.origin}${PATH}` }).end();
    });
    expect(await fetched()).toMatchObject({ mediaType: "image/png" });
    expect(asked).toHaveLength(2);
    expect(await fetched("/user-attachments/assets/away?key=secret")).toBeUndefined();
    expect(other.asked).toEqual([]);
    expect(JSON.stringify(lines)).toContain("it is not on the code host");
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ["is no image", (response) => response.end("<svg/>"), "it is no PNG"],
    ["is too large", (response) => response.end(Buffer.concat([PNG, Buffer.alloc(6_000_000)])), "larger than 5 MB"],
    ["is gone", (response) => response.writeHead(404).end(), "answers 404"],
    ["redirects in circles", (response) => response.writeHead(302, { location: PATH }).end(), "redirected too often"],
    ["breaks off", (response) => response.destroy(), "fetch failed"],
  ])("are left out when one %s", async (_what, answer, reason) => {
    const { fetched, lines } = await start((_, response) => answer(response));
    expect(await fetched()).toBeUndefined();
    expect(JSON.stringify(lines)).toContain(reason);
  });
});
