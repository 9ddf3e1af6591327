import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { writeWhole } from "../../src/data/write-whole.ts";

describe("writeWhole", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-write-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("writes a new file or replaces an old one, and leaves nothing else behind", async () => {
    const file = join(folder, "run.html");
    await writeWhole(file, "naïve");
    expect(await readFile(file, "utf8")).toBe("naïve");
    await writeFile(file, "older and longer");
    await writeWhole(file, "new");
    expect(await readFile(file, "utf8")).toBe("new");
    expect(await readdir(folder)).toEqual(["run.html"]);
  });

  it("leaves nothing behind when it fails", async () => {
    await mkdir(join(folder, "taken", "full"), { recursive: true });
    await expect(writeWhole(join(folder, "taken"), "text")).rejects.toMatchObject({ syscall: "rename" });
    await expect(writeWhole(join(folder, "none", "run.html"), "text")).rejects.toMatchObject({ code: "ENOENT" });
    expect(await readdir(folder)).toEqual(["taken"]);
  });
});
