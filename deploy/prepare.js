import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * npm's `prepare`: builds the program for `npm install --global .` and `npm link`, which otherwise link a folder as it is,
 * and for an install straight from git. A fresh clone has no compiler yet.
 */
const root = join(import.meta.dirname, "..");
const { npm_command: command = "", npm_config_global: isGlobal, npm_execpath: npm } = process.env;

function run(...words) {
  // npm hands its own settings down, and this is not about the global folder.
  const { status, error } = spawnSync(process.execPath, [npm, ...words, "--global=false", "--location=project"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw error ?? new Error(`npm ${words[0]} failed`);
}

/** A plain install only fetches: `npm start`, `npm test` and the rest build for themselves, and so does `npm pack`. */
const isPlain = ["ci", "install"].includes(command) && isGlobal !== "true";
if (!isPlain && !["pack", "publish"].includes(command)) {
  if (!existsSync(join(root, "node_modules", "typescript"))) run("ci", "--ignore-scripts", "--include=dev");
  run("run", "--silent", "build");
}
