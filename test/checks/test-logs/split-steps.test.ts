import { describe, expect, it } from "@jest/globals";
import { imageIn } from "../../../src/checks/test-logs/runner-image.ts";
import { type StepTimes, splitSteps } from "../../../src/checks/test-logs/split-steps.ts";

const second = (at: number) => Date.parse(`2026-11-20T10:00:${String(at).padStart(2, "0")}Z`);
const line = (at: number, text: string) =>
  `2026-11-20T10:00:${String(Math.floor(at)).padStart(2, "0")}.${String(Math.round((at % 1) * 10))}000000Z ${text}`;
const step = (name: string, from: number, to: number, state: StepTimes["state"] = "passed"): StepTimes => ({
  name,
  state,
  from: second(from),
  to: second(to),
});
const textOf = (part: string | undefined) =>
  (part ?? "")
    .split("\n")
    .map((row) => row.slice(29))
    .join("|");

describe("the steps of a job's log", () => {
  it("are split by their seconds, or by their first lines within the same second", () => {
    const log = [
      line(1.1, "setting up"),
      line(2.1, "##[group]Run npm run lint"),
      line(2.3, "lint says"),
      line(2.5, "##[group]Run npm test"),
      line(2.7, "test says"),
      line(4.2, "test ends"),
      line(4.4, "##[group]Run ./deploy"),
      line(6.1, "deployed"),
    ].join("\n");
    const steps = [step("set up", 1, 1), step("lint", 2, 2), step("test", 2, 4, "failed"), step("deploy", 4, 6)];
    expect(splitSteps(log, steps).map(textOf)).toEqual([
      "setting up",
      "##[group]Run npm run lint|lint says",
      "##[group]Run npm test|test says|test ends",
      "##[group]Run ./deploy|deployed",
    ]);
  });

  it("are not split by a program's output", () => {
    const log = [line(1.1, "##[group]Run npm test"), line(2.1, "##[group]Run npm test"), line(2.2, "1 passed")].join(
      "\n",
    );
    expect(textOf(splitSteps(log, [step("test", 1, 2)])[0])).toBe(
      "##[group]Run npm test|##[group]Run npm test|1 passed",
    );
  });

  it("leave out skipped steps, and ignore a stamp that goes back in time", () => {
    const log = [line(1.1, "a"), line(0.5, "b"), "no stamp", line(3.1, "c")].join("\n");
    const parts = splitSteps(log, [{ name: "skipped", state: "neutral" }, step("one", 1, 1), step("two", 3, 3)]);
    expect(parts[0]).toBe("");
    expect(parts[1]?.split("\n")).toHaveLength(3);
    expect(textOf(parts[2])).toBe("c");
  });

  it("name the machine's image only in the first lines", () => {
    const head = [
      line(1, "##[group]Runner Image"),
      line(1, "Image: ubuntu-24.04"),
      line(1, "Version: 20261101.1"),
    ].join("\n");
    expect(imageIn(head)).toBe("ubuntu-24.04 20261101.1");
    expect(imageIn(`${line(1, "x\n").repeat(300)}${head}`)).toBeUndefined();
    expect(imageIn("Current Image: none")).toBeUndefined();
  });
});
