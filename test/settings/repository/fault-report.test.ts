import { describe, expect, it } from "@jest/globals";
import { faultReport } from "../../../src/webhooks/admission/settings.ts";
import { settingsWorld } from "./settings-world.ts";

const FILE = ".github/magis.yml";
const reportOf = async (text: string, base: Record<string, string> = {}) =>
  faultReport(await settingsWorld({ [FILE]: text }, base).faults());

describe("faultReport", () => {
  it("lists the faults by file, with their lines, and says what to do", async () => {
    expect(await reportOf("_extends: .github\nlable: x\ndraft: 1\n", { [FILE]: "ci-rounds: 99\n" })).toBe(
      [
        "I did not start, because my configuration in this repository has faults:",
        "",
        "In `.github/magis.yml`:",
        "- line 2: `lable` is not a known key: did you mean `label`?",
        "- line 3: `draft` must be true or false.",
        "",
        "In `Acme/.github:.github/magis.yml`:",
        "- line 1: what stands here is wrong, or cannot stand in a file that is extended. What it is, is not said outside of that repository.",
        "",
        "Please correct this on the default branch, then ask again.",
      ].join("\n"),
    );
  });

  it("visibly cuts a long list, and stays far below a comment's limit", async () => {
    const text = Array.from({ length: 700 }, (_, index) => `${"k".repeat(60)}${index}: 1`).join("\n");
    const report = await reportOf(text);
    expect(report.match(/^- line/gm)).toHaveLength(20);
    expect(report).toContain("And 81 more.");
    expect(report.length).toBeLessThan(20_000);
  });

  it("quotes keys and values so that they ping nobody, link nothing and end no line", async () => {
    const report = await reportOf('"@octocat `x` <!-- a -->": 1\n"a\\n# b": 1\n"|": 2\nignore: [*@team]\n');
    expect(report).not.toMatch(/^#/m);
    expect(report).not.toContain("<!--");
    const [, ...spans] = (await reportOf('"@octocat": 1\n')).split("`");
    expect(spans[2]).toBe("@octocat");
  });
});
