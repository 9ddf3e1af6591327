import { describe, expect, it } from "@jest/globals";
import { causeOf } from "../../../src/checks/test-logs/causes.ts";

describe("the cause of a failure, by its words", () => {
  it.each<[string, string]>([
    ["Jest", 'thrown: "Exceeded timeout of 5000 ms for a test.\nAdd a timeout value to this test"'],
    ["older Jest", "Timeout - Async callback was not invoked within the 5000 ms timeout specified by jest.setTimeout."],
    [
      "oldest Jest",
      "Timeout - Async callback was not invoked within timeout specified by jasmine.DEFAULT_TIMEOUT_INTERVAL.",
    ],
    [
      "Jasmine",
      "Error: Timeout - Async function did not complete within 5000ms (set by jasmine.DEFAULT_TIMEOUT_INTERVAL)",
    ],
    ["Mocha", 'Error: Timeout of 2000ms exceeded. For async tests and hooks, ensure "done()" is called'],
    ["Vitest", "Error: Test timed out in 5000ms."],
    ["node:test", "'test timed out after 100ms'\n failureType: 'testTimeoutFailure'"],
    ["AVA", "Promise returned by test never resolved"],
    ["Playwright", "Test timeout of 30000ms exceeded."],
    ["pytest-timeout", "Failed: Timeout >1.0s"],
    ["newer pytest-timeout", "Failed: Timeout (>1.0s) from pytest-timeout."],
    ["Python", "subprocess.TimeoutExpired: Command 'x' timed out after 5 seconds"],
    ["JUnit 4", "org.junit.runners.model.TestTimedOutException: test timed out after 100 milliseconds"],
    ["JUnit 5", "java.util.concurrent.TimeoutException: parse() timed out after 1 second"],
    ["JUnit 5, preemptive", "execution timed out after 100 ms"],
    ["Kotlin", "kotlinx.coroutines.test.UncompletedCoroutinesError: After waiting for 10s"],
    ["NUnit", "Test exceeded Timeout value of 100ms"],
    ["MSTest", "Test 'Parse' exceeded execution timeout period."],
    ["xUnit", "Xunit.Sdk.TestTimeoutException : Test execution timed out after 100 milliseconds"],
    ["Go", "panic: test timed out after 1s"],
    ["ExUnit", "** (ExUnit.TimeoutError) test timed out after 60000ms"],
    ["Ruby", "Timeout::Error:\n  execution expired"],
    ["PHPUnit", "This test was aborted after 1 second"],
    ["Dart", "TimeoutException after 0:00:30.000000: Test timed out after 30 seconds."],
    ["XCTest", "Asynchronous wait failed: Exceeded timeout of 1 seconds, with unfulfilled expectations"],
  ])("is a time-out by %s", (_runner, words) => {
    expect(causeOf(words)).toBe("time-out");
  });

  it.each<[string, string]>([
    ["a value named timeout", "AssertionError: expected 'timeout' to be 'ok'"],
    ["an option named timeout", "expect(received).toBe(expected)\n\nExpected: { timeout: 5 }"],
    [
      "a verification by Mockito",
      "org.mockito.exceptions.verification.junit.ArgumentsAreDifferent:\nArgument(s) are different!",
    ],
  ])("is an assertion for %s", (_what, words) => {
    expect(causeOf(words)).toBe("assertion");
  });
});
