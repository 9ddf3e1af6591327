import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createOpenMirror, type Mirror } from "../../eval/mirror.ts";
import { makeInstances } from "./make-instances.ts";

let made: ReturnType<typeof makeInstances>;
let shop: Mirror;
let till: Mirror;
const open = (folder: string) => createOpenMirror(folder, { PATH: process.env.PATH, HOME: made.folder });
beforeAll(async () => {
  made = makeInstances();
  const found = await Promise.all(["acme/shop", "acme/till"].map(open(made.mirrors)));
  [shop, till] = found as [Mirror, Mirror];
});
afterAll(() => made?.remove());
const commitOf = (place: number) => made.instances[place]?.base_commit ?? "";

describe("a mirror", () => {
  it("is found bare or not, by each of its names, and nowhere else", async () => {
    expect([shop.folder, till.folder]).toEqual([join(made.mirrors, "acme__shop.git"), join(made.mirrors, "acme/till")]);
    expect(await open(made.mirrors)("acme/none")).toBeUndefined();
    const other = join(made.folder, "other");
    mkdirSync(join(other, "acme+plain", "src"), { recursive: true });
    renameSync(join(made.folder, "shop"), join(other, "acme+shop"));
    expect(await open(other)("acme/shop")).toMatchObject({ folder: join(other, "acme+shop") });
    // A folder that lies in some repository is not one.
    mkdirSync(join(other, "acme+shop", "acme__none"));
    expect(await open(join(other, "acme+shop"))("acme/none")).toBeUndefined();
    expect(await open(other)("acme/plain")).toBeUndefined();
  });

  it("knows its commits, files and contents", async () => {
    expect(await shop.hasCommit(commitOf(0))).toBe(true);
    expect(await shop.hasCommit("0".repeat(40))).toBe(false);
    const entries = await till.entries(commitOf(1));
    expect(entries.map(({ path }) => path)).toEqual(["LICENSE", "README.md", "src/money.js", "src/till.js"]);
    const texts = new Map<string, string>();
    await till.readBlobs(
      entries.map(({ blob }) => blob),
      (blob, content) => texts.set(blob, Buffer.from(content).toString()),
    );
    expect(texts.get(entries[0]?.blob ?? "")).toBe("MIT\n");
    await expect(till.entries("0".repeat(40))).rejects.toMatchObject({ code: "GIT_NOT_FOUND" });
    await expect(till.readBlobs(["0".repeat(40)], () => undefined)).rejects.toMatchObject({ code: "BLOB_MISSING" });
  });

  it("says whether a patch applies, and changes nothing", async () => {
    const patch = made.instances[1]?.patch ?? "";
    const created = "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n";
    expect(await till.refusalOf(commitOf(1), patch)).toBeUndefined();
    expect(await till.refusalOf(commitOf(1), patch + created)).toBeUndefined();
    expect(await till.refusalOf(commitOf(1), patch.replace("let sum = 0;", "let sum = 1;"))).toContain(
      "does not apply",
    );
    expect(await shop.refusalOf(commitOf(0), "no patch at all")).toContain("No valid patches in input");
    const status = execFileSync("git", ["-C", till.folder, "status", "--porcelain"], { encoding: "utf8" });
    expect(status).toBe("");
  });
});
