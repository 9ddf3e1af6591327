import { spawnSync } from "node:child_process";
import { notHere } from "./test/posix-suites.js";

// Tests are ES modules, which Jest runs only with --experimental-vm-modules, and what they test starts threads, which
// need the hook. Restarting here makes `npx jest` and editors work as they are, without the flags in every command line.
// The other flag: test/bot/node-flags.ts.
const HOOK = new URL("test/load-typescript.js", import.meta.url).href;
if (!process.execArgv.includes(HOOK)) {
  const flags = ["--experimental-vm-modules", "--no-warnings", "--liftoff-only", "--import", HOOK];
  const again = spawnSync(process.execPath, [...flags, ...process.argv.slice(1)], { stdio: "inherit" });
  process.exit(again.status ?? 1);
}

const swc = {
  jsc: { target: "es2022", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: true } },
  module: { type: "es6" },
};

/** @type {import("jest").Config} */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", ...notHere()],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "^.+\\.ts$": ["@swc/jest", swc] },
  reporters: ["default", "<rootDir>/test/closing-line-reporter.js"],
  testEnvironment: "<rootDir>/test/environment.js",
  runtime: "<rootDir>/test/runtime.js",
  globalSetup: "<rootDir>/test/data-template.js",
  globalTeardown: "<rootDir>/test/remove-data-template.js",
  testSequencer: "<rootDir>/test/longest-first.js",
  injectGlobals: false,
  testTimeout: 240_000,
  // More than cores: tests that start programs, and some others, wait more than they compute.
  maxWorkers: 5,
  // Modules of tests that have ended stay in a worker's memory; a new worker loads the packages again, and compiles the contract.
  workerIdleMemoryLimit: "1200MB",
};
