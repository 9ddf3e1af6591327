import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { failureResult, resultOfPlan } from "../../src/run/ends.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { sampleTask } from "../fakes/sample-task.ts";
import { planOf } from "../workflow/plan-of.ts";

const resultOf = (error: unknown) => {
  const { log, lines } = createFakeLog();
  return { result: failureResult(error, "plan", log), lines };
};
const away = new MagisError("HOST_UNREACHABLE", "The host is away.", { secret: "s3cret" });

describe("failureResult", () => {
  it("reports a coded error by its sentence and code, without its data", () => {
    const { result, lines } = resultOf(away);
    expect(result).toEqual({ kind: "failed", code: "HOST_UNREACHABLE", message: "The host is away." });
    expect(lines).toEqual(["error the run failed"]);
  });

  it("finds a coded error among causes and in an AggregateError", () => {
    expect(resultOf(new Error("step failed", { cause: away })).result).toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(resultOf(new AggregateError([new Error("x"), away])).result).toMatchObject({ code: "HOST_UNREACHABLE" });
  });

  it("recognises a coded error that the engine stored without its class", () => {
    const kept = Object.assign(new Error(away.message), { name: "MagisError", code: away.code, data: away.data });
    expect(resultOf(kept).result).toMatchObject({ code: "HOST_UNREACHABLE", message: "The host is away." });
  });

  it("does not report a used-up budget as a failure", () => {
    const { result, lines } = resultOf(new MagisError("BUDGET_REACHED", "Used up.", { limit: "minutes" }));
    expect(result).toMatchObject({ kind: "budget-reached", limit: "minutes", phase: "plan", patch: "" });
    expect(lines).toEqual([]);
  });

  const noFile = Object.assign(new Error("ENOENT: /srv/magis/secret.ts"), { code: "ENOENT" });
  it.each([new TypeError("x of undefined at /srv/magis/secret.ts"), noFile, "a string", undefined])(
    "reveals nothing about an unknown error: %s",
    (error) => {
      const { result } = resultOf(error);
      expect(result).toMatchObject({ kind: "failed", code: "UNEXPECTED" });
      expect(JSON.stringify(result)).not.toMatch(/undefined|secret|a string/);
    },
  );

  it("does not hang on an error that is its own cause", () => {
    const loop = new Error("loop");
    loop.cause = loop;
    expect(resultOf(loop).result).toMatchObject({ code: "UNEXPECTED" });
  });
});

describe("resultOfPlan", () => {
  it.each([
    ["a change with its test", 0, ["src/a.ts", "test/a.test.ts"], undefined],
    ["tests alone", 0, ["test/a.test.ts"], undefined],
    ["tests alone of what may not be changed", 1, ["test/a.test.ts"], "gave-up"],
    ["a change of which a part may not be made", 1, ["src/a.ts", "test/a.test.ts"], undefined],
    ["nothing", 0, [], "nothing-to-change"],
    ["nothing that may be made", 1, [], "gave-up"],
  ] as const)("ends a run that plans %s only where nothing can be published", (_what, refused, paths, kind) => {
    const tasks = paths.map((path) => sampleTask({ path }));
    expect(resultOfPlan({ ...planOf(tasks), refused })?.kind).toBe(kind);
  });
});
