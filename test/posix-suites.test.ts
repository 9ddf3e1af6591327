import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { notHere, POSIX_SUITES } from "./posix-suites.js";
import { projectRoot } from "./world/project-root.ts";

/** What Windows lacks. */
const NEEDS = [
  /\bchmod(?:Sync)?\(|Sync\("(?:sh|bash)"|& 0o[0-7]{3}\b|\bsymlink(?:Sync)?\(/,
  /process\.kill\(-|\.end\("SIGTERM"\)|kill\("SIGINT"\)/,
];

/** These check for it themselves, or do without: Windows has junctions, for example. */
const CHECK_THEMSELVES = [
  "test/app/kept-runs.test.ts",
  "test/commands/show.test.ts",
  "test/deploy/image.test.ts",
  "test/posix-suites.test.ts",
];

const suites = readdirSync(join(projectRoot(), "test"), { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts"));

describe("suites that Windows cannot run", () => {
  it("exist, each with what it needs", () => {
    for (const [path, needs] of Object.entries(POSIX_SUITES)) {
      expect([path, existsSync(join(projectRoot(), path))]).toEqual([path, true]);
      expect(needs).not.toBe("");
    }
  });

  it("are all the suites that need something Windows lacks", () => {
    const need = suites.filter((path) =>
      NEEDS.some((pattern) => pattern.test(readFileSync(join(projectRoot(), path), "utf8"))),
    );
    expect(need.filter((path) => !(path in POSIX_SUITES) && !CHECK_THEMSELVES.includes(path))).toEqual([]);
    expect(need.length).toBeGreaterThan(10);
  });

  it("are left out on Windows only, whichever separator a path has", () => {
    expect(notHere("linux")).toEqual([]);
    expect(notHere("darwin")).toEqual([]);
    const left = (path: string) => notHere("win32").some((pattern) => new RegExp(pattern).test(path));
    expect(left("D:\\a\\magis\\test\\commands\\action.test.ts")).toBe(true);
    expect(left("/project/test/commands/action.test.ts")).toBe(true);
    expect(left("D:\\a\\magis\\test\\deploy\\action.test.ts")).toBe(false);
  });
});
