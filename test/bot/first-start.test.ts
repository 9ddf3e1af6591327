import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { rsaKey } from "../fakes/rsa-key.ts";
import { startBot } from "./start-bot.ts";

/** The bound is 400; this is for machines and versions of Node that differ, and far below the 750 of an initdb. */
const MAX_PEAK_MB = 450;

jest.setTimeout(180_000);
const onLinux = existsSync("/proc/self/status") ? it : it.skip;

describe("a first start", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-first-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const environment = () => ({
    APP_ID: "1",
    WEBHOOK_SECRET: "a-secret-of-the-test",
    ANTHROPIC_API_KEY: "none",
    MAGIS_DATA_DIR: folder,
    PRIVATE_KEY: rsaKey(),
  });

  onLinux("takes little memory, in one process, and after a start that was killed half way", async () => {
    await mkdir(join(folder, ".postgres-killed"));
    const bot = await startBot({ environment: environment() });
    try {
      expect((await fetch(`${bot.url}/readyz`)).status).toBe(200);
      expect(bot.log[0]?.msg).toMatch(/^MAGIS \d+\.\S+ for https:\/\/\S+, models \S+ and \S+, embedded database in /);
      const status = await readFile(`/proc/${bot.pid}/status`, "utf8");
      const peak = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
      expect(peak).toBeGreaterThan(50);
      expect(peak).toBeLessThan(MAX_PEAK_MB);
      expect((await readFile(`/proc/${bot.pid}/task/${bot.pid}/children`, "utf8")).trim()).toBe("");
    } finally {
      expect(await bot.stop()).toBe(0);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });
});
