import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "./world/project-root.ts";

const { version } = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8")) as { version: string };

const run = (...words: readonly string[]) =>
  spawnSync(process.execPath, [join(projectRoot(), "dist", "main.js"), ...words], { encoding: "utf8", env: {} });

describe("node dist/main.js", () => {
  it.each([
    ["--help", /^Starts the bot/],
    ["-h", /^Starts the bot/],
    ["--version", new RegExp(`^${version.replaceAll(".", "\\.")}\n$`)],
  ])("answers %s and starts nothing", (argument, output) => {
    const { status, stdout, stderr } = run(argument);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(output);
  });

  it.each(["--port=80", "start", ""])("refuses %j in a sentence", (argument) => {
    const { status, stdout, stderr } = run(argument, "more");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toBe(`The bot takes no argument ${JSON.stringify(argument)}: see --help. Nothing was started.\n`);
  });
});
