import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectRoot } from "./world/project-root.ts";

/** What the linter says of the promises in a folder; empty when somebody waits for each. */
function floating(cwd: string, place: string): string {
  const biome = join(projectRoot(), "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--colors=off", "--only=nursery/noFloatingPromises", place];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  return status === 0 ? "" : stdout + stderr;
}

it("src waits for each of its promises", () => {
  expect(floating(projectRoot(), "src")).toBe("");
});

it("a promise that nobody waits for is found", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-awaited-"));
  const text = "async function save(): Promise<void> {}\nexport async function end(): Promise<void> {\n  save();\n}\n";
  writeFileSync(join(folder, "end.ts"), text);
  const rules = { nursery: { noFloatingPromises: "error" } };
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ linter: { rules } }));
  expect(floating(folder, "end.ts")).toContain("noFloatingPromises");
  rmSync(folder, { recursive: true });
});
