import { expect, it } from "@jest/globals";
import { MagisError, type MagisErrorCode } from "../../src/data/error.ts";
import { mayBeReportedLater } from "../../src/data/outage.ts";

it.each<[MagisErrorCode, number | undefined, boolean]>([
  ["HOST_UNREACHABLE", 503, true],
  ["HOST_REFUSED", 403, true],
  ["HOST_NOT_FOUND", 404, true],
  ["HOST_NOT_FOUND", 410, false],
  ["DATABASE_UNAVAILABLE", undefined, true],
  ["MODEL_REJECTED", undefined, false],
])("an end that %s (%s) kept from its issue may be reported later: %s", (code, status, may) => {
  expect(mayBeReportedLater(new MagisError(code, "No.", { status }))).toBe(may);
  expect(mayBeReportedLater(new Error("No."))).toBe(false);
});
