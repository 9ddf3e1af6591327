import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { temporaryFolder } from "../../test/leave-nothing/leave-nothing.ts";

/**
 * The most megabytes that the built bot had resident from its start in an empty data directory until it listens; undefined
 * where the system does not tell.
 */
export async function peakOfFirstStart(): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "magis-bench-"));
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const bot = spawn(process.execPath, [resolve("dist/main.js")], {
    cwd: folder,
    env: {
      APP_ID: "1",
      WEBHOOK_SECRET: "a-secret-of-the-bench",
      ANTHROPIC_API_KEY: "none",
      PRIVATE_KEY: key.toString(),
      MAGIS_DATA_DIR: join(folder, "data"),
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_LEVEL: "info",
      ...temporaryFolder(),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    for await (const line of createInterface({ input: bot.stdout })) {
      if (!line.includes("listening on port")) continue;
      const status = readFileSync(`/proc/${bot.pid}/status`, "utf8");
      return (Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024) / 1e6;
    }
    throw new Error("The bot did not start.");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    const ended = once(bot, "exit");
    bot.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
