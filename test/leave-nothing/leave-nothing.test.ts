import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../world/project-root.ts";

const SAMPLE = fileURLToPath(new URL("./sample-program.ts", import.meta.url));

const onLinux = process.platform === "linux" ? describe : describe.skip;

/** Starts the sample; gives it with the folder and processes that it reports. */
async function startSample(way: string) {
  const loader = join(projectRoot(), "test", "load-typescript.js");
  const child = spawn(process.execPath, ["--import", loader, SAMPLE, way], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { folder, pids } = JSON.parse(line) as { folder: string; pids: readonly number[] };
  return { child, ended, folder: dirname(folder), pids };
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const ENDS: Readonly<Record<string, (child: ChildProcess) => unknown>> = {
  exit: () => undefined,
  error: () => undefined,
  talk: (child) => child.stdout?.destroy(),
  SIGINT: (child) => child.kill("SIGINT"),
  SIGTERM: (child) => child.kill("SIGTERM"),
  SIGHUP: (child) => child.kill("SIGHUP"),
  SIGKILL: (child) => child.kill("SIGKILL"),
};

onLinux("a program that calls leaveNothing", () => {
  it.each(Object.keys(ENDS))("leaves no process and no folder when it ends by %s", async (way) => {
    const { child, ended, folder, pids } = await startSample(way);
    expect(pids).toHaveLength(6);
    ENDS[way]?.(child);
    await ended;
    const isLeft = () => existsSync(folder) || pids.some(isAlive);
    while (isLeft()) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isLeft()).toBe(false);
  });
});

describe("a program that starts others", () => {
  it.each([
    "demo/run-demo.ts",
    "eval/grade.ts",
    "eval/proof.ts",
    "eval/smoke.ts",
    "bench/clone.ts",
    "bench/hostile.ts",
    "bench/index.ts",
    "bench/memory.ts",
    "bench/recall.ts",
    "bench/view.ts",
  ])("calls leaveNothing first: %s", (file) => {
    const text = readFileSync(join(projectRoot(), file), "utf8");
    const [first = ""] = /^await .*$/m.exec(text) ?? [];
    expect(first).toMatch(/^await leaveNothing\("[a-z]+"\);$/);
    const begins = text.search(/^(?:const|let) .*(?:mkdtemp|spawn|start[A-Z]|make[A-Z])/m);
    if (begins >= 0) expect(text.indexOf(first)).toBeLessThan(begins);
  });
});
