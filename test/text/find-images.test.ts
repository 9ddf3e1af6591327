import { describe, expect, it } from "@jest/globals";
import { findImages, isImageUrl } from "../../src/text/images.ts";
import { computingTime } from "../fakes/computing-time.ts";

const WEB = "https://github.com";
const ASSET = `${WEB}/user-attachments/assets/0f1e2d3c`;
const USER = "https://user-images.githubusercontent.com/1/2.png";

describe("findImages", () => {
  it("finds images in Markdown and HTML in order, each once", () => {
    const text = `Look: ![it](${ASSET}) and <img width="300" alt="x" src="${USER}"> and ![again](<${ASSET}> "title")`;
    expect(findImages([text, `![b](${ASSET}b)`], WEB)).toEqual([ASSET, USER, `${ASSET}b`]);
    expect(findImages([`<IMG\nsrc='${USER}?a=1&amp;b=2'>`], WEB)).toEqual([`${USER}?a=1&b=2`]);
  });

  it("skips hidden and foreign images", () => {
    const hidden = [`<!-- ![a](${ASSET}) -->`, `\`\`\`\n![a](${ASSET})\n\`\`\``, ASSET];
    const foreign = [
      "https://evil.test/a.png",
      "http://github.com/user-attachments/assets/a",
      `${WEB}/acme/shop/a.png`,
    ];
    expect(findImages([...hidden, ...foreign.map((url) => `![a](${url})`)], WEB)).toEqual([]);
  });

  it("finds at most five", () => {
    const many = Array.from({ length: 9 }, (_, at) => `![a](${ASSET}${at})`).join(" ");
    expect(findImages([many], WEB)).toHaveLength(5);
  });

  it("takes linear time on hostile texts", () => {
    const began = computingTime();
    for (const piece of ["![", "![](", "<img ", "<img src=", "![a](http://"]) findImages([piece.repeat(50_000)], WEB);
    expect(computingTime() - began).toBeLessThan(10_000);
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
