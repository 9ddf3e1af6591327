import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

interface TestRun {
  passed: boolean;
  summary: string;
  /** all that the runner printed */
  log: string;
}

/** Runs a folder's own tests with Node's test runner; gives the lines about what failed and how many passed. */
export async function runTests(folder: string): Promise<TestRun> {
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const output = await text(child.stdout);
  const [code] = await exit;
  const lines = output.split("\n").filter((line) => /^\s*not ok|^# (pass|fail) /.test(line));
  return { passed: code === 0, summary: lines.map((line) => line.trim()).join("\n"), log: output };
}
