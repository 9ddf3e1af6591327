import { describe, expect, it } from "@jest/globals";
import { findAttached, findImages, isUploadUrl } from "../../src/text/uploads.ts";

const WEB = "https://github.com";
const ASSET = `${WEB}/user-attachments/assets/0f1e2d3c`;
const USER = "https://user-images.githubusercontent.com/1/2.png";

describe("findImages", () => {
  const found = (pages: readonly string[]) => [...findImages(pages, WEB)];
  const img = (src: string) => `<p><img src="${src.replaceAll("&", "&amp;")}"></p>`;

  it("finds images in order, each once, by what stays of their addresses", () => {
    const uuid = "0f1e2d3c-0000-4000-8000-0123456789ab";
    const [one, again] = [1, 2].map(
      (jwt) => `https://private-user-images.githubusercontent.com/1/2-${uuid}.png?jwt=${jwt}`,
    );
    expect(found([img(one ?? "") + img(USER), img(`${USER}?a=1&b=2`)])).toEqual([
      [uuid, one],
      ["/1/2.png", `${USER}?a=1&b=2`],
    ]);
    expect(found([img(again ?? "")])).toEqual([[uuid, again]]);
    expect(found([img(`${WEB}/user-attachments/assets/${uuid}`)])[0]?.[0]).toBe(uuid);
  });

  it("skips foreign images, those in code, and all after the fifth", () => {
    const foreign = [
      "https://evil.test/a.png",
      "http://github.com/user-attachments/assets/a",
      `${WEB}/acme/shop/a.png`,
    ];
    expect(found([...foreign.map(img), `<pre>&lt;img src="${ASSET}"></pre>`, ASSET])).toEqual([]);
    expect(found(Array.from({ length: 9 }, (_, at) => img(`${ASSET}${at}`)))).toHaveLength(5);
  });
});

describe("isUploadUrl", () => {
  const bucket = "https://github-production-user-asset-6210df.s3.amazonaws.com/1/2.png";
  const signed = "https://objects.githubusercontent.com/github-production-repository-file-5c1aeb/1/2?X-Amz-Signature=3";
  const GHE = "https://ghe.test";
  it.each<["image" | "file", string, string, boolean, boolean]>([
    ["image", ASSET, WEB, false, true],
    ["image", "https://private-user-images.githubusercontent.com/1/2.png?jwt=x", WEB, false, true],
    ["image", bucket, WEB, false, false],
    ["image", bucket, WEB, true, true],
    ["image", "https://other.s3.amazonaws.com/1", WEB, true, false],
    ["image", "https://user-images.githubusercontent.com.evil.test/1", WEB, true, false],
    ["image", "https://me:secret@user-images.githubusercontent.com/1", WEB, true, false],
    ["image", `${GHE}/user-attachments/assets/1`, GHE, false, true],
    ["image", "https://media.ghe.test/user/1/files/2", GHE, false, true],
    ["image", `${GHE}/api/v3/user`, GHE, true, false],
    ["image", "no address", WEB, false, false],
    ["file", `${WEB}/user-attachments/files/1/app.log`, WEB, false, true],
    ["file", `${WEB}/acme/shop/files/1/app.log`, WEB, false, true],
    ["file", signed, WEB, false, false],
    ["file", signed, WEB, true, true],
    ["file", "https://github-production-repository-file-5c1aeb.s3.amazonaws.com/1/2", WEB, true, true],
    ["file", `${GHE}/acme/shop/files/1/app.log`, GHE, false, true],
    ["file", `${WEB}/user-attachments/files/1/app.log`, GHE, true, false],
    ["file", `${WEB}/user-attachments/files/1/../../../acme/x`, WEB, false, false],
    ["file", `${WEB}/user-attachments/assets/1`, WEB, false, false],
  ])("for an %s: %s on %s, redirected %s: %s", (kind, url, web, redirected, wanted) => {
    expect(isUploadUrl(url, web, kind, redirected)).toBe(wanted);
  });
});

describe("findAttached", () => {
  const found = (html: string) => findAttached(html, "https://github.com/acme/shop/issues/5");
  const link = (address: string, words = "log") => `<p><a href="${address}">${words}</a></p>`;
  const FILES = `${WEB}/user-attachments/files`;

  it("finds linked uploads in order, each once, with their names", () => {
    const page = [
      `${FILES}/1/app.log?raw=1#L3`,
      `${FILES}/1/app.log`,
      `${WEB}/Acme/Shop/files/2/caf%C3%A9%0A%E2%80%AE.txt`,
    ];
    expect(found(page.map((address) => link(address)).join(""))).toEqual([
      { url: `${FILES}/1/app.log`, name: "app.log" },
      { url: `${WEB}/Acme/Shop/files/2/caf%C3%A9%0A%E2%80%AE.txt`, name: "café .txt" },
    ]);
  });

  it.each([
    ["another repository", link(`${WEB}/acme/secret/files/1/a.log`)],
    ["another host", link("https://evil.test/user-attachments/files/1/a.log")],
    ["a page", link(`${WEB}/acme/shop/blob/main/files/1/a.log`)],
    ["a name that leads elsewhere", link(`${FILES}/1/..%2F..%2Fa.log`)],
    ["the same with a backslash", link(`${FILES}/1/..%5Ca.log`)],
    ["no name", link(`${FILES}/1/`)],
    ["a name and a password", link("https://a:b@github.com/user-attachments/files/1/a.log")],
    ["no words", link(`${FILES}/1/a.log`, "\u200b")],
    ["a hidden link", `<div hidden>${link(`${FILES}/1/a.log`)}</div>`],
    ["code", `<pre>${FILES}/1/a.log</pre>`],
  ])("leaves out %s", (_what, html) => {
    expect(found(html)).toEqual([]);
  });

  it("cuts a long name, and survives one that is wrongly encoded", () => {
    expect(found(link(`${FILES}/1/${"a".repeat(300)}`))[0]?.name).toHaveLength(100);
    expect(found(link(`${FILES}/1/%E0%A4.log`))[0]?.name).toBe("%E0%A4.log");
  });
});
