import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { projectRoot } from "./world/project-root.ts";

const PACKED = [
  "export const a = (x?: number, y?: number) => ({ z: 1, ...{ x, y } });",
  "export const a = (x?: number) => ({ z: 1, ...(x && { x }) });",
  "export const a = (x?: number) => ({ z: 1, ...(x !== undefined && { x, y: 2 }) });",
  "export const a = (x?: number) => ({ z: 1, ...(x === undefined ? {} : { x }) });",
];
const PLAIN = [
  "export const a = (x?: number) => ({ z: 1, x });",
  "export const a = (x: object, y?: object) => ({ z: 1, ...x, ...(y ?? {}) });",
  "export const a = (x?: number) => [1, ...(x === undefined ? [] : [x])];",
];
const LONG = [`export const a = /${"word|".repeat(30)}end/;`];
const SHORT = ["export const a = /^one line (?:of|a|review)$/;"];

interface Report {
  diagnostics: readonly { location: { start: { line: number } } }[];
}

describe("the rules in lint/", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-lint-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["no-packed-spread", PACKED, PLAIN],
    ["no-long-regex", LONG, SHORT],
  ])("%s reports each bad line and no good one", (rule, bad, good) => {
    const file = join(folder, `${rule}.ts`);
    writeFileSync(file, [...bad, ...good].join("\n"));
    const config = { plugins: [join(projectRoot(), `lint/${rule}.grit`)], linter: { rules: { preset: "none" } } };
    writeFileSync(join(folder, "biome.json"), JSON.stringify(config));
    const biome = join(projectRoot(), "node_modules/@biomejs/biome/bin/biome");
    const words = [biome, "lint", "--config-path", folder, "--reporter=json", file];
    const { stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as Report;
    expect(diagnostics.map(({ location }) => location.start.line)).toEqual(bad.map((_, at) => at + 1));
  });
});
