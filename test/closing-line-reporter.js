/** Prints how many tests passed, failed and were skipped on one plain line, and why tests are skipped. */
// biome-ignore lint/style/noDefaultExport: Jest takes reporters as default exports
export default class ClosingLineReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    if (numPendingTests > 0 && !process.env.TEST_DATABASE_URL) {
      console.log(
        "Skipped: what needs a PostgreSQL server. Set TEST_DATABASE_URL to one where databases may be created to run it.",
      );
    }
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`);
  }
}
