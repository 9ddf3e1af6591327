import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { startsPrograms, suitesByJob } from "./jobs.js";
import { projectRoot } from "./world/project-root.ts";

describe("the jobs of the suites", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-suites-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("give units no suite that can start a program, by itself or by its imports", () => {
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

  it("give units every suite that starts nothing and is not in bulk", () => {
    file("types.ts", 'import type { ChildProcess } from "node:child_process";\n');
    expect(startsPrograms(file("plain.test.ts", 'import { a } from "./types.ts";\nimport "node:http";\n'))).toBe(false);
    const { units = [], ...others } = suitesByJob();
    expect(units.length).toBeGreaterThan(120);
    expect(units).toContain("test/jobs.test.ts");
    // Dropped promises are hardly seen otherwise: `npm test` looks for them.
    expect(others.rooms).toContain("test/awaited.test.ts");
    const started = /\b(?:startBot|startScene|startWorld|startMagis|startChromium|compileWorker|runGit|openDatabase)\(/;
    const texts = units.filter((path) => path !== "test/jobs.test.ts");
    expect(texts.filter((path) => started.test(readFileSync(join(projectRoot(), path), "utf8")))).toEqual([]);
    expect(Object.entries(others).filter(([, suites]) => suites.length === 0)).toEqual([]);
  });
});
