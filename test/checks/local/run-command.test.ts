import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { runCommand } from "../../../src/checks/local/run-command.ts";

const place = mkdtempSync(join(tmpdir(), "magis-command-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const run = (command: string, environment: Readonly<Record<string, string>>, signal = new AbortController().signal) =>
  runCommand({ command, folder: place, environment, limits: { minutes: 1, memoryMb: 1024 } }, signal);

const PATH = process.env.PATH ?? "";

it("a command gets no secret of the environment, and no program of a folder that it may itself write to", async () => {
  const search = [".", "", "node_modules/.bin", PATH].join(delimiter);
  const { code, output } = await run('echo "$PATH"; env', { PATH: search, ANTHROPIC_API_KEY: "s3cret", LANG: "C" });
  expect(code).toBe(0);
  expect(output.split("\n")[0]).toBe(PATH);
  expect(output).toContain("LANG=C");
  expect(output).not.toContain("s3cret");
});

it.each(["before it begins", "while it runs"])("a command is ended when it is cancelled %s", async (when) => {
  const cancel = new AbortController();
  if (when === "before it begins") cancel.abort();
  else setTimeout(() => cancel.abort(), 100);
  expect(await run("sleep 20", { PATH }, cancel.signal)).toMatchObject({ code: null, stopped: "cancelled" });
});
