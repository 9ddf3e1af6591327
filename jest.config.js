import { notHere } from "./test/posix-suites.js";

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
  setupFiles: ["<rootDir>/test/native-errors.js"],
  globalSetup: "<rootDir>/test/data-template.js",
  globalTeardown: "<rootDir>/test/remove-data-template.js",
  injectGlobals: false,
  testTimeout: 240_000,
  // More than cores: tests that start programs wait more than they compute.
  maxWorkers: 5,
  // Modules of tests that have ended stay in a worker's memory.
  workerIdleMemoryLimit: "1200MB",
};
