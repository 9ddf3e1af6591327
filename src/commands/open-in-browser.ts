import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** A launcher that passes the page to a running browser ends within this time. */
const LAUNCH_MS = 5_000;

/** Opens a file or address in this machine's browser and gives whether that worked. The only way to a browser. */
export async function openInBrowser(target: string): Promise<boolean> {
  try {
    return (await exitOf(await (await import("open")).default(target))) === 0;
  } catch {
    return false;
  }
}

/** A launcher's exit code; 0 when it has not ended after some seconds, because then it is the browser itself. */
async function exitOf(launcher: ChildProcess): Promise<number> {
  if (launcher.exitCode !== null) return launcher.exitCode;
  const waiting = new AbortController();
  launcher.ref();
  try {
    const ended = once(launcher, "exit", { signal: waiting.signal }).then(([code]) => (code as number | null) ?? 1);
    return await Promise.race([ended, setTimeout(LAUNCH_MS, 0, { signal: waiting.signal })]);
  } finally {
    waiting.abort();
    launcher.unref();
  }
}
