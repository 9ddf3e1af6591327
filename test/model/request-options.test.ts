import { describe, expect, it } from "@jest/globals";
import { readCommand } from "../../src/model/command.ts";
import { lastingWords, onlyOnIssues, optionList, takeOptions, withOptions } from "../../src/model/request-options.ts";
import { DEFAULT_SETTINGS } from "../../src/model/setting-definitions/all-settings.ts";

const ALL = "base:release/4.2 draft:false proof:off budget:2 files:src/net/**";

describe("the options of a request", () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    ["", [], [], ""],
    ["look at a.ts", [], [], "look at a.ts"],
    [ALL, [], ALL.split(" "), ""],
    ["budget:2 look at a.ts", [], ["budget:2"], "look at a.ts"],
    ["look at budget:2", [], [], "look at budget:2"],
    ["BUDGET:2", [], ["budget:2"], ""],
    ["https://example.com/a", [], [], "https://example.com/a"],
    ["a.ts:12 is wrong", [], [], "a.ts:12 is wrong"],
    ["", ["base: release/4.2", "It rounds down."], ["base:release/4.2"], "It rounds down."],
    ["round up", ["", "files: src/a.ts, src/b.ts"], ["files:src/a.ts,src/b.ts"], "round up"],
    ["", ["Note: it rounds down"], [], "Note: it rounds down"],
    ["", ["files: the ones in src are wrong"], [], "files: the ones in src are wrong"],
  ])("are taken out of %j with lines %j", (argument, below, given, hint) => {
    const read = takeOptions(argument, below);
    expect(read.hint).toBe(hint);
    expect(read.options?.given ?? []).toEqual(given);
    expect(read.options?.faults).toBeUndefined();
  });

  it.each<[string, readonly string[], RegExp]>([
    ["bose:main", [], /`bose:main` is not an option/],
    ["", ["bugget: 2"], /`bugget:2` is not an option/],
    ["", ["budgets: 2"], /`budgets:2` is not an option/],
    ["budget:much", [], /`budget:much` must be a number of US dollars/],
    ["budget:0", [], /must be a number/],
    ["draft:maybe", [], /must be true or false/],
    ["proof:yes", [], /must be one of off, auto, required/],
    ["base:magis/issue-1", [], /none of the bot's own/],
    ["base:a..b", [], /must be the name of a branch/],
    ["files:../x", [], /must be a list of globs/],
    ["budget:1 budget:2", [], /stands here twice/],
    ["bad:`@ana`", [], /`bad:'@ana'` is not an option/],
  ])("are refused when they cannot be followed: %j %j", (argument, below, fault) => {
    expect((takeOptions(argument, below).options?.faults ?? []).join("\n")).toMatch(fault);
  });

  it("read `anyway` on the first line or on a line of its own, not within the hint", () => {
    expect(takeOptions("anyway", []).options).toMatchObject({ anyway: true, given: [] });
    expect(takeOptions("budget:1 Anyway please", [])).toMatchObject({ hint: "please", options: { anyway: true } });
    expect(takeOptions("", ["anyway"]).options).toMatchObject({ anyway: true });
    expect(takeOptions("try it anyway", []).options).toBeUndefined();
  });

  it("set the settings of one run, and leave the others", () => {
    const { options } = takeOptions(ALL, []);
    const settings = withOptions({ ...DEFAULT_SETTINGS, protect: ["docs"] }, options);
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      protect: ["docs"],
      baseBranch: "release/4.2",
      draft: false,
      proof: "off",
      only: ["src/net/**"],
      budget: { ...DEFAULT_SETTINGS.budget, money: 2 },
    });
    expect(withOptions(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  });

  it("are known to be for issues only", () => {
    expect(onlyOnIssues({ given: ALL.split(" ") })).toEqual(["base:release/4.2", "draft:false", "proof:off"]);
  });

  it("last on the pull request if they say what it may change and be, or to go on anyway", () => {
    expect(lastingWords({ given: ALL.split(" ") })).toEqual(["draft:false", "files:src/net/**"]);
    expect(lastingWords({ anyway: true, given: [] })).toEqual(["anyway"]);
  });

  it("are listed with what each does", () => {
    const names = optionList().match(/^- `[a-z]+/gm);
    expect(names).toEqual(["- `base", "- `draft", "- `budget", "- `proof", "- `files", "- `anyway"]);
  });

  it("come with `resolve` and `plan`, and are words of the hint elsewhere", () => {
    expect(readCommand("/magis resolve budget:2 round up")).toMatchObject({
      verb: "resolve",
      hint: "round up",
      options: { given: ["budget:2"] },
    });
    expect(readCommand("/magis plan draft:false")).toMatchObject({ options: { given: ["draft:false"] } });
    expect(readCommand("/magis approve budget:2")).toEqual({ verb: "approve", hint: "budget:2" });
  });
});
