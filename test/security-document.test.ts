import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "./world/project-root.ts";

const read = (file: string) => readFileSync(join(projectRoot(), file), "utf8");
const rows = read("docs/security.md")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\| *(---|\| promise)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

describe("docs/security.md", () => {
  it("names a test for each promise", () => {
    expect(rows.length).toBeGreaterThan(20);
    for (const [, , promise, tests = ""] of rows) {
      expect([promise, tests]).toEqual([
        promise,
        expect.stringMatching(/^`test\/[\w/-]+\.test\.ts`(, `test\/[\w/-]+\.test\.ts`)*$/),
      ]);
    }
  });

  it("names tests that exist", () => {
    const named = [...new Set(rows.flatMap(([, , , tests = ""]) => tests.match(/test\/[\w/-]+\.test\.ts/g) ?? []))];
    expect(named.filter((file) => !existsSync(join(projectRoot(), file)))).toEqual([]);
  });

  it("links SECURITY.md and is linked there, beside private reports and without an e-mail address", () => {
    expect(read("docs/security.md")).toContain("(../SECURITY.md)");
    const report = read("SECURITY.md");
    expect(report).toContain("(docs/security.md)");
    expect(report).toMatch(/Security → Report a vulnerability/);
    expect(report).not.toMatch(/[\w.]+@[\w-]+\.\w+/);
  });
});
