import { inspect } from "node:util";
import { expect, it } from "@jest/globals";
import { toMagisError } from "../../src/models/model-errors.ts";

const USAGE = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
const CALL = { model: "m", usage: USAGE, money: 0, cancelled: false, brokenOff: false };

it.each([
  [400, true],
  [401, false],
  [403, false],
])("a refusal with status %i by a cloud whose credentials nobody knows is quoted: %s", (status, isQuoted) => {
  const said = "The request was: x-amz-security-token:s3ss1on";
  const error = toMagisError(new Error(said), { status, said }, CALL, undefined);
  expect(error.code).toBe("MODEL_REJECTED");
  expect(inspect(error).includes("s3ss1on")).toBe(isQuoted);
  // Where they are known, they are taken out.
  expect(inspect(toMagisError(new Error(said), { status, said }, CALL, ["s3ss1on"]))).not.toContain("s3ss1on");
});
