import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { createOrderBreaker } from "../../src/commands/job-output.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What the runner takes for an order: `::` at the beginning of a line, behind white space, or `##[` anywhere. */
const orders = (log: string) =>
  log.split(/[\r\n]/).filter((line) => line.trimStart().startsWith("::") || line.includes("##["));

const ORDERS = [
  "::set-output name=a::b",
  "a\n::set-output name=a::b",
  "a\r::add-mask::b",
  "a\r\n \t::error::b",
  "a\u2028::error::b",
  "a ##[error]b",
  "\u00a0\u3000::warning::b",
  "\ufeff::debug::b",
];

describe("what a job prints", () => {
  it.each(ORDERS)("gives no order, in one piece or in many: %j", (text) => {
    for (const pieces of [[text], [...text]]) {
      const breakOrders = createOrderBreaker();
      const shown = pieces.map(breakOrders).join("");
      expect(orders(shown)).toEqual([]);
      expect(shown.replaceAll("\u200b", "")).toBe(text);
    }
  });

  it("passes on all other text unchanged", () => {
    const text = "### A heading\nstd::string a[0] at 10:00\n#[derive]";
    expect(createOrderBreaker()(text)).toBe(text);
  });
});

const ENVIRONMENT = { PATH: process.env.PATH ?? "", GITHUB_REPOSITORY: "o/r" };

/** The built command with a script that its process begins with. */
function args(script = ""): string[] {
  const before = path.join(mkdtempSync(path.join(tmpdir(), "magis-job-")), "before.mjs");
  writeFileSync(before, script);
  return ["--import", before, path.join(ROOT, "dist/cli.js"), "action"];
}

/** It in a process of its own, as a job runs it. */
function job(variables: Readonly<Record<string, string>>, script?: string) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args(script), {
    env: { ...ENVIRONMENT, ...variables },
    cwd: tmpdir(),
    encoding: "utf8",
  });
  return { stdout, stderr, status };
}

describe("magis action, as a process", () => {
  const own = (log: string) => log.match(/^::(?:stop-commands::)?magis-[\da-f-]+(?:::)?$/gm) ?? [];

  it("gives none by what its event says, and begins with the runner's own way", () => {
    const text = ORDERS.join("");
    const { stdout, stderr, status } = job({ GITHUB_EVENT_NAME: text, GITHUB_EVENT_PATH: `/no/${text}` });
    expect(status).toBe(1);
    expect(stderr.startsWith("::stop-commands::magis-")).toBe(true);
    expect(orders(stderr)).toEqual(own(stderr));
    expect(orders(stdout)).toEqual([]);
  });

  it.each([
    ["an error that nobody caught", "throw new Error(TEXT)"],
    ["what a package prints", "console.error(TEXT); console.log(TEXT); process.emitWarning(TEXT)"],
    ["a log that writes to file descriptors", "pino(pino.destination(1)).info(TEXT); writeSync(2, TEXT)"],
    ["a child that inherits the streams", 'spawnSync("printf", ["%s", TEXT], { stdio: "inherit" })'],
    ["the end of its process in native code", "writeSync(2, TEXT); process.abort()"],
  ])("gives none by %s", (_name, code) => {
    const script = `
      import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
      import { writeSync } from "node:fs";
      import { createRequire } from "node:module";
      const { pino } = createRequire(${JSON.stringify(path.join(ROOT, "package.json"))})("pino");
      const TEXT = "a\\n::set-output name=a::b\\n##[error]c\\n";
      if (process.channel) { ${code} }`;
    const { stdout, stderr } = job({ GITHUB_EVENT_NAME: "push", GITHUB_EVENT_PATH: "/no" }, script);
    expect(stdout + stderr).toContain("set-output name=a");
    expect(orders(stderr)).toEqual(own(stderr));
    expect(orders(stdout)).toEqual([]);
  });

  it("hands on the signal that ends it, and its exit code", async () => {
    const script = `
      import { writeSync } from "node:fs";
      if (process.channel) {
        process.on("SIGTERM", () => process.exit(7));
        writeSync(1, "ready");
        await new Promise(() => setInterval(() => undefined, 1000));
      }`;
    const child = spawn(process.execPath, args(script), { env: ENVIRONMENT });
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([7, null]);
  });
});
