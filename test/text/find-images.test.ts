import { describe, expect, it } from "@jest/globals";
import { findImages, isImageUrl } from "../../src/text/images.ts";

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

describe("isImageUrl", () => {
  const bucket = "https://github-production-user-asset-6210df.s3.amazonaws.com/1/2.png";
  it.each<[string, string, boolean, boolean]>([
    [ASSET, WEB, false, true],
    ["https://private-user-images.githubusercontent.com/1/2.png?jwt=x", WEB, false, true],
    [bucket, WEB, false, false],
    [bucket, WEB, true, true],
    ["https://other.s3.amazonaws.com/1", WEB, true, false],
    ["https://user-images.githubusercontent.com.evil.test/1", WEB, true, false],
    ["https://me:secret@user-images.githubusercontent.com/1", WEB, true, false],
    ["https://ghe.test/user-attachments/assets/1", "https://ghe.test", false, true],
    ["https://media.ghe.test/user/1/files/2", "https://ghe.test", false, true],
    ["https://ghe.test/api/v3/user", "https://ghe.test", true, false],
    ["http://169.254.169.254/latest", WEB, true, false],
    ["no address", WEB, false, false],
  ])("%s on %s, redirected %s: %s", (url, web, redirected, wanted) => {
    expect(isImageUrl(url, web, redirected)).toBe(wanted);
  });
});
