import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "@jest/globals";
import { createUploads } from "../../src/github/uploads.ts";
import { serve } from "../serve.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const PATH = "/user-attachments/assets/1";
const FILE = "/user-attachments/files/1/app.log";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A code host on loopback; `asked` holds its requests. */
async function start(
  answer: (request: IncomingMessage, response: ServerResponse, origin: string) => void,
  timeoutMs?: number,
) {
  const asked: IncomingMessage[] = [];
  const { url: origin, close } = await serve((request, response) => {
    asked.push(request);
    answer(request, response, origin);
  });
  closing.push(close);
  const lines: object[] = [];
  const log = { warn: (data: object) => void lines.push(data) };
  const { fetchImage, fetchText } = createUploads({ webUrl: origin, log, timeoutMs });
  const read = (path = FILE) => fetchText(`${origin}${path}`, new AbortController().signal);
  const fetched = (path = PATH) => fetchImage(`${origin}${path}`, async () => "t0ken", new AbortController().signal);
  return { origin, asked, lines, fetched, read };
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

  it("show the token to the configured host alone, not to the store where it keeps them", async () => {
    const sent: (readonly [string, unknown])[] = [];
    const location = "https://github-production-user-asset-6210df.s3.amazonaws.com/1?key=k";
    const answer: typeof fetch = async (asked, init) => {
      const { host } = new URL(String(asked));
      sent.push([host, new Headers(init?.headers).get("authorization")]);
      return host === "github.com" ? new Response(null, { status: 302, headers: { location } }) : new Response(PNG);
    };
    const log = { warn: () => undefined };
    const { fetchImage } = createUploads({ webUrl: "https://github.com", log, fetch: answer });
    const image = fetchImage(`https://github.com${PATH}`, async () => "t0ken", new AbortController().signal);
    expect(await image).toMatchObject({ mediaType: "image/png" });
    expect(sent).toEqual([
      ["github.com", "Bearer t0ken"],
      [new URL(location).host, null],
    ]);
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

describe("a text file attached to an issue", () => {
  it("is fetched without a token, in pieces and through redirects within the host", async () => {
    const { asked, read } = await start(({ url }, response, origin) => {
      if (url === FILE) return response.writeHead(302, { location: `${origin}${FILE}.1` }).end();
      response.write(Buffer.from("caf\u00e9").subarray(0, 4));
      return response.end(Buffer.from("caf\u00e9").subarray(4));
    });
    expect(await read()).toEqual({ text: "caf\u00e9" });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ["has a NUL", (response) => response.end("a\0b"), "it is not encoded in UTF-8"],
    ["is a zip", (response) => response.end(Buffer.from("504b03040a000000", "hex")), "it is not encoded in UTF-8"],
    ["is a gzip", (response) => response.end(Buffer.from("1f8b0808", "hex")), "it is not encoded in UTF-8"],
    ["is in Latin-1", (response) => response.end(Buffer.from("caf\u00e9", "latin1")), "it is not encoded in UTF-8"],
    ["is huge", (response) => response.end(Buffer.alloc(6_000_000, "a")), "it is larger than 5 MB"],
    ["is gone", (response) => response.writeHead(404).end(), "the host answers 404"],
    [
      "is redirected elsewhere",
      (response) => response.writeHead(302, { location: "https://evil.test/a/b/files/1/app.log" }).end(),
      "it is not on the code host",
    ],
    [
      "is redirected to the API",
      (response) => response.writeHead(302, { location: "/api/v3/user" }).end(),
      "it is not on the code host",
    ],
    ["breaks off", (response) => response.destroy(), "the download broke off"],
    [
      "breaks off in the middle",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("a", () => response.destroy());
      },
      "the download broke off",
    ],
  ])("is not read when it %s", async (_what, answer, unread) => {
    const { read } = await start((_, response) => answer(response));
    expect(await read()).toEqual({ unread });
  });

  it("is not waited for without end", async () => {
    const { read } = await start((_, response) => void response.write("never ends"), 200);
    expect(await read()).toEqual({ unread: "it takes too long" });
  });

  it("is not asked for at any other address", async () => {
    const { asked, read } = await start((_, response) => void response.end("text"));
    for (const path of ["/acme/shop/blob/main/a", `${FILE}/../../../acme`, "/acme/shop/files/x/a.log"])
      expect(await read(path)).toEqual({ unread: "it is not on the code host" });
    expect(asked).toEqual([]);
  });
});
