import { chmod, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path, { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { sampleReport } from "../report/run/sample-report.ts";
import { startMagis } from "./start-magis.ts";

/** Nothing is opened on the machine of the tests but what stands here. */
const isLinux = process.platform === "linux";

(isLinux ? describe : describe.skip)("magis show --open", () => {
  let folder: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "magis-open-")));
    const browser = join(folder, "browser");
    await writeFile(browser, "#!/bin/sh\nexit 0\n");
    await chmod(browser, 0o755);
    environment = { BROWSER: browser, HOME: folder, TMPDIR: folder };
    await writeFile(join(folder, "run.json"), JSON.stringify(sampleReport()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  // A process of its own: the browser is started with what is in its environment.
  const show = async (words: readonly string[]) => {
    const { exitCode, out, err } = await startMagis(["show", "run.json", ...words], { environment, cwd: folder }).ended;
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    return /^Opened in the browser: (.*)\n$/.exec(out.toString())?.[1] ?? "";
  };

  it("opens a page that only its owner can read, and that stays", async () => {
    const file = await show(["--open"]);
    expect(path.dirname(path.dirname(file))).toBe(folder);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(await show(["--open"])).not.toBe(file);
  });

  it("says where the page is, and not that it was opened, where no browser took it", async () => {
    const broken = join(folder, "broken");
    await writeFile(broken, "#!/bin/sh\nexit 1\n");
    await chmod(broken, 0o755);
    const words = ["show", "run.json", "--open"];
    const { exitCode, out } = await startMagis(words, {
      environment: { ...environment, BROWSER: broken, PATH: folder },
      cwd: folder,
    }).ended;
    expect({ exitCode, out: out.toString() }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/^No browser could be started\. The page is in /),
    });
  });
});
