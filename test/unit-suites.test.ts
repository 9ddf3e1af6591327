import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { startsPrograms, unitSuites } from "./unit-suites.js";
import { projectRoot } from "./world/project-root.ts";

describe("what `npm run test:unit` runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-suites-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("includes no suite that can start a program, by itself or by its imports", () => {
    file("start.ts", 'import { type ChildProcess,\n  spawn } from "node:child_process";\n');
    file("database.ts", 'import { PGlite } from "@electric-sql/pglite";\n');
    file("again.ts", 'export { start } from "./start.ts";\n');
    const starting = [
      'import "./start.ts";',
      'import {\n  start,\n} from "./again.ts";',
      'import { d } from "./database.ts";',
    ];
    starting.push('const { start } = await import("./again.ts");', 'import { fork } from "node:child_process";');
    for (const [at, text] of starting.entries()) {
      expect([text, startsPrograms(file(`${at}.test.ts`, text))]).toEqual([text, true]);
    }
  });

  it("includes every other suite, except hostile input in bulk", () => {
    file("types.ts", 'import type { ChildProcess } from "node:child_process";\n');
    expect(startsPrograms(file("plain.test.ts", 'import { a } from "./types.ts";\nimport "node:http";\n'))).toBe(false);
    const suites = unitSuites();
    expect(suites.length).toBeGreaterThan(120);
    expect(suites).toContain("test/unit-suites.test.ts");
    expect(suites.filter((path) => /^test\/e2e\/|\/hostile-/.test(path))).toEqual([]);
    const started = /\b(?:startBot|startScene|startWorld|startMagis|startChromium|compileWorker|runGit|openDatabase)\(/;
    const texts = suites.filter((path) => path !== "test/unit-suites.test.ts");
    expect(texts.filter((path) => started.test(readFileSync(join(projectRoot(), path), "utf8")))).toEqual([]);
  });
});
