import { POSIX_SUITES } from "./posix-suites.js";

/** Prints how many tests passed, failed and were skipped on one plain line, and why tests are skipped. */
// biome-ignore lint/style/noDefaultExport: Jest takes reporters as default exports
export default class ClosingLineReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    if (numPendingTests > 0) {
      console.log(
        "Skipped: what needs a PostgreSQL server (set TEST_DATABASE_URL to one where databases may be created), Chromium (on the PATH or in CHROMIUM_PATH), bubblewrap that may make namespaces (bwrap), or python3, gcc and make, where they are missing.",
      );
    }
    const left = Object.keys(POSIX_SUITES).length;
    if (process.platform === "win32") {
      console.log(`Not run on Windows: ${left} suites that need what it lacks (test/posix-suites.js).`);
    }
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`);
  }
}
