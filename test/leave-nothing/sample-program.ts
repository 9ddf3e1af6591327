import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leaveNothing, temporaryFolder } from "./leave-nothing.ts";

// Starts processes and a folder as a demo does, reports them, and ends the way its argument says.

const [way = ""] = process.argv.slice(2);

/** Starts one more process with an empty environment, then waits for ever. */
const CHILD = `
const { spawn } = require("node:child_process");
const own = spawn(process.execPath, ["-e", "setInterval(() => 0, 1e6)"], { env: {}, stdio: "ignore" });
console.log(process.pid + " " + own.pid);
setInterval(() => 0, 1e6);
`;

await leaveNothing("sample");

const folder = mkdtempSync(join(tmpdir(), "inner-"));
const children = [{}, { detached: true }, { env: temporaryFolder() }].map((options) =>
  spawn(process.execPath, ["-e", CHILD], { ...options, stdio: ["ignore", "pipe", "ignore"] }),
);
const pids: string[] = [];
for (const { stdout } of children) {
  const [line] = (await new Promise<Buffer>((resolve) => stdout.once("data", resolve))).toString().split("\n");
  pids.push(...(line ?? "").split(" "));
}
console.log(JSON.stringify({ folder, pids: pids.map(Number) }));

switch (way) {
  case "exit":
    process.exit(0);
    break;
  case "error":
    throw new Error("it went wrong");
  case "talk":
    setInterval(() => console.log("and on and on"), 5);
    break;
  default:
    setInterval(() => undefined, 1e6);
}
