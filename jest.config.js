import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suitesByJob } from "./test/jobs.js";
import { notHere } from "./test/posix-suites.js";

// Whatever suites leave in the folder for temporary files goes with the run.
const folder = mkdtempSync(join(tmpdir(), "magis-tests-"));
for (const variable of ["TMPDIR", "TEMP", "TMP"]) process.env[variable] = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

const swc = {
  jsc: { target: "es2022", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: true } },
  module: { type: "es6" },
};

const projects = Object.entries(suitesByJob()).map(([displayName, suites]) => ({
  displayName,
  testMatch: suites.map((path) => `<rootDir>/${path}`),
  testPathIgnorePatterns: ["/node_modules/", ...notHere()],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "^.+\\.ts$": ["@swc/jest", swc] },
  setupFiles: ["<rootDir>/test/native-errors.js"],
  injectGlobals: false,
  // The others need the build.
  globalSetup: displayName === "units" ? "<rootDir>/test/share-key.js" : "<rootDir>/test/data-template.js",
  globalTeardown: displayName === "units" ? undefined : "<rootDir>/test/remove-data-template.js",
}));

/**
 * One project a job: `--selectProjects units scenes`.
 * @type {import("jest").Config}
 */
export default {
  projects,
  reporters: ["default", "<rootDir>/test/closing-line-reporter.js"],
  testSequencer: "<rootDir>/test/scenes-first.js",
  testTimeout: 240_000,
  // More than cores: tests that start programs wait more than they compute.
  maxWorkers: 5,
  // On a busy machine, a process with much memory takes longer than half a second to go.
  workerGracefulExitTimeout: 60_000,
  // Modules of tests that have ended stay in a worker's memory.
  workerIdleMemoryLimit: "1200MB",
};
