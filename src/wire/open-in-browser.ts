import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";

/** A launcher that hands the page on ends at once. */
const LAUNCH_MS = 5_000;

/** Opens a file or address in the browser of this machine; gives whether one took it. The only way to a browser. */
export async function openInBrowser(target: string): Promise<boolean> {
  try {
    return (await exitOf(await (await import("open")).default(target))) === 0;
  } catch {
    return false;
  }
}

/** How a launcher ended; 0 where it has not within some seconds, since it is the browser then. */
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
