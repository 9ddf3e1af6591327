import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { locateFiles } from "../../src/agents/phases.ts";
import { PAPER } from "../fakes/sample-settings.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

const INVOICE = Array.from({ length: 40 }, (_, line) => `export const discount${line} = (invoice) => ${line};\n`).join(
  "",
);
const OTHER = "export const discount = 1; // invoice, nothing else to see in this file of a few words\n";
const blobOf = (text: string) =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");
const files = { "src/invoice.js": INVOICE };
const path = "src/invoice.js";

async function located(remembered: { path: string; blob: string; summary: string }[], earlier?: string) {
  const shop = await openWorkshop({ files, remembered, settings: PAPER });
  if (earlier !== undefined) shop.state.objects.addBlob(Buffer.from(earlier));
  const candidates = await locateFiles(shop.tools);
  return { ...shop, candidates };
}

describe("Algorithm 1 on the summary of a version", () => {
  it("makes no call for the same version", async () => {
    const { candidates, asked } = await located([{ path, blob: blobOf(INVOICE), summary: "Known." }]);
    expect(asked()).toEqual(["p03-judge-relevance"]);
    expect(candidates[0]?.summary).toBe("Known.");
  });

  it("makes no call for the same content under another path, and remembers it under this path", async () => {
    const { asked, kept } = await located([{ path: "old/place.js", blob: blobOf(INVOICE), summary: "Known." }]);
    expect(asked()).toEqual(["p03-judge-relevance"]);
    expect(kept.at(-1)).toMatchObject({ path, summary: "Known." });
  });

  it("updates a changed version by P1 on the diff, and appends the answer", async () => {
    const earlier = INVOICE.replace("=> 3;", "=> 33;");
    const { candidates, of, asked, kept, record } = await located(
      [{ path, blob: blobOf(earlier), summary: "Known." }],
      earlier,
    );
    expect(asked()).toEqual(["p01-summarise-change", "p03-judge-relevance"]);
    expect(of("p01-summarise-change")[0]?.text).toContain(
      "-export const discount3 = (invoice) => 33;\n+export const discount3",
    );
    expect(candidates[0]?.summary).toBe("Known.\nIt was changed.");
    expect(kept.at(-1)).toMatchObject({ blob: blobOf(INVOICE), summary: "Known. It was changed." });
    expect(record.candidates).toMatchObject({ judged: [{ path, source: "updated (P1)" }] });
  });

  it.each([
    ["nothing is remembered", [], undefined],
    ["the remembered content is gone from the host", [{ path, blob: "0".repeat(40), summary: "Known." }], undefined],
    [
      "the diff is larger than the file",
      [{ path, blob: blobOf("x\n".repeat(900)), summary: "Known." }],
      "x\n".repeat(900),
    ],
    [
      "the summary is not shorter than the file",
      [{ path, blob: blobOf(INVOICE), summary: "x".repeat(INVOICE.length) }],
      undefined,
    ],
  ])("asks P2 when %s", async (_, remembered, earlier) => {
    const { candidates, asked, kept } = await located(remembered, earlier);
    expect(asked()).toEqual(["p02-summarise-file", "p03-judge-relevance"]);
    expect(candidates[0]?.summary).toBe("A file.");
    expect(kept.at(-1)).toMatchObject({ path, blob: blobOf(INVOICE), summary: "A file." });
  });
});

describe("a file that the issue names and nobody can search", () => {
  it.each([
    ["res/strings.rc", new Uint8Array(Buffer.from("\uFEFFa", "utf16le")), "binary (text in UTF-16"],
    ["res/model.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n", "in Git LFS (a Git LFS"],
    ["package-lock.json", "{}", "lock files (a lock file)"],
  ])("is said to be left out, with the reason: %s", async (odd, content, reason) => {
    const shop = await openWorkshop({ files: { ...files, [odd]: content }, settings: PAPER });
    const issue = { ...shop.tools.issue, body: `\`${odd}\` and the invoice are wrong.` };
    await locateFiles({ ...shop.tools, issue });
    const details = shop.tools.tracker.state().phases.map(({ detail }) => detail);
    expect(details[0]).toContain(`\`${odd}\` is left out: ${reason}`);
  });
});

describe("locateFiles in the paper's profile", () => {
  const judging = (relevant: (path: string) => boolean) => ({
    "p03-judge-relevance": ({ text }: { text: string }) => ({
      files: [...text.matchAll(/^## `(.+)`$/gm)].map(([, path]) => ({
        path,
        reason: "So.",
        relevant: relevant(path as string),
      })),
    }),
  });

  it("leaves out what P3 drops, and keeps the ranked order", async () => {
    const script = judging((one) => one !== "src/b.js");
    const shop = await openWorkshop({
      files: { ...files, "src/a.js": OTHER, "src/b.js": `${OTHER}//\n` },
      script,
      settings: PAPER,
    });
    const all = (await locateFiles(shop.tools)).map((file) => file.path);
    expect([...all].sort()).toEqual(["src/a.js", "src/invoice.js"]);
    expect(all[0]).toBe("src/invoice.js");
    expect(shop.record.candidates?.note).toBeUndefined();
  });

  it("keeps the best three of an over-eager filter, and the record says so", async () => {
    const many = Object.fromEntries([1, 2, 3, 4].map((n) => [`src/f${n}.js`, `${OTHER}// ${n}\n`]));
    const shop = await openWorkshop({ files: { ...many, ...files }, script: judging(() => false), settings: PAPER });
    const kept = await locateFiles(shop.tools);
    const judged = (shop.record.candidates?.judged ?? []).map((file) => file.path);
    expect(judged).toHaveLength(5);
    expect(kept.map((file) => file.path)).toEqual(judged.slice(0, 3));
    expect(shop.record.candidates).toHaveProperty("note", expect.stringContaining("the best-ranked were kept"));
  });

  it("finds nothing in an unrelated repository, without a call", async () => {
    const shop = await openWorkshop({ files: { "zebra.txt": "qqq\n" }, settings: PAPER });
    expect(await locateFiles(shop.tools)).toEqual([]);
    expect(shop.asked()).toEqual([]);
  });

  it("judges only the first of a given ranking, to the letter of Algorithm 1", async () => {
    const shop = await openWorkshop({ files: { ...files, "src/a.js": OTHER, "zebra.txt": "qqq\n" }, settings: PAPER });
    const ranked = ["zebra.txt", "gone.js", "src/a.js", "src/invoice.js"];
    const located = await locateFiles({ ...shop.tools, candidates: 2, ranked });
    expect(located.map((one) => one.path)).toEqual(["zebra.txt"]);
    expect(shop.of("p03-judge-relevance")).toHaveLength(1);
    expect(shop.record.candidates?.judged).toMatchObject([{ path: "zebra.txt", reasons: ["BM25"] }]);
  });

  it("judges each file in a separate call", async () => {
    const shop = await openWorkshop({
      files: { ...files, "src/a.js": OTHER, "src/b.js": `${OTHER}//\n` },
      settings: PAPER,
    });
    await locateFiles({ ...shop.tools, candidates: 2 });
    expect(shop.of("p03-judge-relevance")).toHaveLength(2);
    expect(shop.of("c02-locate-files")).toEqual([]);
  });
});
