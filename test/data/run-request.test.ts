import { describe, expect, it } from "@jest/globals";
import { readCommand } from "../../src/data/command.ts";
import { issueOfPull, markers, runOfPull } from "../../src/data/marks.ts";
import { lastingWords, onlyOnIssues, optionList, takeOptions, withOptions } from "../../src/data/request-options.ts";
import {
  allHints,
  beginOnPull,
  beginRun,
  continueFrom,
  type Delivery,
  readRunId,
  runByHand,
  runId,
} from "../../src/data/run-request.ts";
import { DEFAULT_SETTINGS } from "../../src/data/setting-definitions/all-settings.ts";
import type { RepositorySettings } from "../../src/data/settings.ts";

const repository = { owner: "ana", name: "shop", installationId: 1 };
const delivery: Delivery = {
  id: "guid",
  repository,
  issue: 7,
  actor: "ben",
  actorIsBot: false,
  at: "2026-01-01T12:00:00Z",
  trigger: { kind: "comment", commentId: 3, body: "More.", on: "issue" },
  text: { title: "T", body: "B" },
};
const RESOLVE = { kind: "resolve", gate: "none" } as const;

describe("a run's id", () => {
  it.each([
    ["ana/shop#7@guid", "ana/shop", 7],
    ["ana/shop#7", "ana/shop", 7],
    ["shop@5d1c", "", undefined],
    ["", "", undefined],
  ])("of %j names the repository %j and the issue %j", (id, name, issue) => {
    expect(readRunId(id)).toEqual({ repository: name, issue });
  });

  it("is found in its pull request's mark, which also names the issue", () => {
    const id = runId(repository, 7, "guid");
    const body = `${markers.run(id)}\nWords.`;
    expect(id).toBe("ana/shop#7@guid");
    expect([runOfPull({ body }), issueOfPull({ body, branch: "x" })]).toEqual([id, 7]);
    const without = { body: "Words.", branch: "magis/issue-12-words" };
    expect([runOfPull(without), issueOfPull(without)]).toEqual([undefined, 12]);
  });
});

describe("a request", () => {
  it("begins a new run, with the issue's text only to resolve it", () => {
    const id = "ana/shop#7@guid";
    const asked = { repository, issue: 7, trigger: delivery.trigger, actor: "ben", delivery: "guid", grants: [] };
    const { at: requestedAt, text } = delivery;
    expect(beginRun(delivery, RESOLVE)).toEqual({ id, root: id, work: RESOLVE, ...asked, requestedAt, text });
    const work = { kind: "repair", head: "1" } as const;
    expect(beginRun(delivery, work, 9)).toEqual({
      id: "ana/shop#9@guid",
      root: "ana/shop#9@guid",
      work,
      ...asked,
      issue: 9,
      requestedAt,
    });
  });

  it("on a pull request keeps the options that last, below its own", () => {
    const pull = (words: readonly string[]) => ({ number: 9, body: `${markers.run("r")}\n${markers.options(words)}` });
    const work = { kind: "update" } as const;
    const words = ["anyway", "draft:false", "files:src/**,--a/é🙂.ts"];
    expect(beginOnPull(delivery, work, pull(words))).toMatchObject({
      issue: 9,
      work,
      options: { anyway: true, given: words.slice(1) },
    });
    const command = { verb: "resolve", hint: "", options: { given: ["files:docs/**"] } } as const;
    const trigger = { kind: "other-command", commentId: 1, command, on: "pull request" } as const;
    const { options } = beginOnPull({ ...delivery, trigger }, work, pull(words));
    expect(options?.given).toEqual(["draft:false", "files:docs/**"]);
    for (const wrong of [["base:main", "budget:4"], ["draft:perhaps"], ["%"]])
      expect(beginOnPull(delivery, work, pull(wrong)).options).toBeUndefined();
    const quoted = { number: 9, body: `Words.\n${markers.options(words)}` };
    expect(beginOnPull(delivery, work, quoted).options).toBeUndefined();
  });

  it("keeps the earlier request's root, work and budget unless changed", () => {
    const earlier = { ...beginRun(delivery, RESOLVE), grants: [{ by: "ben", money: 2 }] };
    const next = continueFrom(earlier, { ...delivery, id: "later" }, { hint: "More." });
    expect(next).toEqual({ ...earlier, id: "ana/shop#7@later", delivery: "later", hint: "More." });
    expect(continueFrom(earlier, delivery, { grants: [] }).grants).toEqual([]);
  });

  it("carries all hints of the runs that it continues, in case their records are gone", () => {
    const first = beginRun({ ...delivery, trigger: { kind: "command", commentId: 1, hint: "one" } }, RESOLVE);
    const second = continueFrom(first, { ...delivery, id: "b" }, { hint: "two" });
    const third = continueFrom(second, { ...delivery, id: "c" }, { hint: "three" });
    expect([first, second, third].map(allHints)).toEqual(["one", "one\n\ntwo", "one\n\ntwo\n\nthree"]);
    expect(third.earlierHints).toBe("one\n\ntwo");
  });

  it("can be made without a delivery", () => {
    const asked = { id: "x", repository, issue: 0, actor: "you", requestedAt: "2026-01-01T12:00:00Z" };
    expect(runByHand({ ...asked, hint: "Mind." })).toEqual({
      ...asked,
      root: "x",
      delivery: "x",
      grants: [],
      work: RESOLVE,
      trigger: { kind: "command", commentId: 0, hint: "Mind." },
    });
  });
});

const ALL = "base:release/4.2 draft:false proof:off budget:2 files:src/net/**";

describe("the options of a request", () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    ["", [], [], ""],
    ["look at a.ts", [], [], "look at a.ts"],
    [ALL, [], ALL.split(" "), ""],
    ["budget:2 look at a.ts", [], ["budget:2"], "look at a.ts"],
    ["look at `budget:2` in a.ts", [], [], "look at `budget:2` in a.ts"],
    ["round up --base release/4.0 --budget=1", [], ["base:release/4.0", "budget:1"], "round up"],
    ["files are wrong", [], [], "files are wrong"],
    ["draft a fix", [], [], "draft a fix"],
    ["fix it", ["```yaml", "base: main", "```"], [], "fix it\n```yaml\nbase: main\n```"],
    ["BUDGET:2", [], ["budget:2"], ""],
    ["https://example.com/a", [], [], "https://example.com/a"],
    ["a.ts:12 is wrong", [], [], "a.ts:12 is wrong"],
    ["", ["base: release/4.2", "It rounds down."], ["base:release/4.2"], "It rounds down."],
    ["round up", ["", "files: src/a.ts,src/b.ts"], ["files:src/a.ts,src/b.ts"], "round up"],
    ["", ["Note: it rounds down"], [], "Note: it rounds down"],
    ["", ["Files are wrong."], [], "Files are wrong."],
    ["--verbose prints twice", [], [], "--verbose prints twice"],
    ["Anyway, it rounds down", [], [], "Anyway, it rounds down"],
  ])("are taken out of %j with lines %j", (argument, below, given, hint) => {
    const read = takeOptions(argument, below);
    expect(read.hint).toBe(hint);
    expect(read.options?.given ?? []).toEqual(given);
    expect(read.options?.faults).toBeUndefined();
  });

  const FORMS = (name: string, value: string) => [
    `${name}: ${value}`,
    `${name} : ${value}`,
    `${name}=${value}`,
    `--${name} ${value}`,
    `--${name}=${value}`,
    `-${name} ${value}`,
    `—${name} ${value}`,
    `- ${name}: ${value}`,
    `1. ${name}: ${value}`,
    `- [ ] ${name}: ${value}`,
    `\`${name}:${value}\``,
    `\`${name}\`: \`${value}\``,
    `"${name}: ${value}"`,
    `${name}: "${value}"`,
    `**${name}:** ${value}`,
    `${name.toUpperCase()}: ${value}`,
    `${name}：${value}`,
    `«${name}＝ ${value}»`,
    `${name}: ${value},`,
  ];
  const VALUES = { base: "release/4.0", budget: "0.001", draft: "false", proof: "off" };
  const forms = Object.entries(VALUES).flatMap(([name, value]) =>
    FORMS(name, value).map((written) => [written, `${name}:${value}`] as const),
  );
  it.each(forms)("are understood however they are written: %s", (written, given) => {
    for (const read of [takeOptions(written, []), takeOptions("", [written]), takeOptions(`${written} round up`, [])])
      expect(read).toMatchObject({ options: { given: [given], faults: undefined } });
    expect(takeOptions(`${written} round up`, ["", "Now."]).hint).toBe("round up\n\nNow.");
  });

  it("are understood several on a line", () => {
    for (const line of ["base: release, budget: 1", "base=release budget=1", "--base release --budget 1"])
      expect(takeOptions("", [line])).toEqual({ hint: "", options: { given: ["base:release", "budget:1"] } });
    for (const line of ['files: "src/a.ts,lib/**"', "--files src/a.ts,lib/**"])
      expect(takeOptions(`${line} draft:false`, []).options?.given).toEqual(["files:src/a.ts,lib/**", "draft:false"]);
    for (const written of ["--anyway", "`anyway`", "- anyway", "Anyway"])
      expect(takeOptions("", [written]).options).toMatchObject({ anyway: true });
  });

  it.each<[string, readonly string[], string]>([
    [
      "budget:$1",
      [],
      "`budget:$1` must be a number of US dollars above 0 and not above 10000. It is written `budget:D",
    ],
    ["budget:1,5", [], "`budget:1,5` must be a number"],
    ["budget:", [], "`budget:` must be a number"],
    ["--draft", [], "`draft:` must be true or false. It is written `draft:true|false`."],
    ["proof:yes", [], "must be one of off, auto, required"],
    ["base:magis/issue-1", [], "none of the bot's own"],
    ["base:a..b", [], "must be the name of a branch"],
    ["files:../x", [], "must be a list of globs"],
    ["files: src/a.ts, src/b.ts", [], "`files:src/a.ts,` must be a list of globs"],
    ["budget:1 budget:2", [], "`budget:2`: this option stands here twice."],
    ["budget 1 round up", [], "`budget 1` cannot be followed. It is written `budget:DOLLARS`."],
    ["", ["budget 1"], "`budget 1` cannot be followed"],
    ["", ["budget: 1 USD"], "`budget: 1 USD` cannot be followed"],
    ["", ["Draft: a fix that rounds up"], "It is written `draft:true|false`."],
    ["--bugget 1", [], "`--bugget 1` is not an option. It is written `budget:DOLLARS`."],
    ["bugdet: 1", [], "`bugdet: 1` is not an option. It is written `budget:DOLLARS`."],
    ["", ["flies: src/a.ts"], "`flies: src/a.ts` is not an option. It is written `files:GLOB,…`."],
    ["--no-draft", [], "`--no-draft` is not an option. It is written `draft:true|false`."],
    ["base-branch: release", [], "`base-branch: release` is not an option. It is written `base:BRANCH`."],
    ["base branch: release", [], "`base branch: release` is not an option. It is written `base:BRANCH`."],
    ["", ["base branch：release"], "is not an option. It is written `base:BRANCH`."],
    ["bad:`@ana`", [], "`bad:'@ana'` is not an option."],
    ["round up, base: release/4.0, please", [], "`base:release/4.0` stands among the words of the hint."],
    ["anyway:false", [], "`anyway:false`: write `anyway` alone"],
  ])("are refused when they cannot be followed: %j %j", (argument, below, fault) => {
    expect((takeOptions(argument, below).options?.faults ?? []).join("\n")).toContain(fault);
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
      alsoOnly: ["src/net/**"],
      budget: { ...DEFAULT_SETTINGS.budget, money: 2 },
    });
    expect(withOptions(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  });

  // What the repository demands, what a request asks for, and what holds.
  it.each<[Partial<RepositorySettings>, string, Partial<RepositorySettings>]>([
    [{ only: ["src"] }, "files:**", { only: ["src"], alsoOnly: ["**"] }],
    [{ only: ["src"] }, "files:src/a.ts", { only: ["src"], alsoOnly: ["src/a.ts"] }],
    [{ only: [] }, "files:src", { only: [], alsoOnly: ["src"] }],
    [{ proof: "required" }, "proof:off", { proof: "required" }],
    [{ proof: "required" }, "proof:auto", { proof: "required" }],
    [{ proof: "off" }, "proof:required", { proof: "required" }],
    [{ proof: "auto" }, "proof:off", { proof: "off" }],
    [
      { budget: { ...DEFAULT_SETTINGS.budget, money: 1 } },
      "budget:2",
      { budget: { ...DEFAULT_SETTINGS.budget, money: 1 } },
    ],
    [
      { budget: { ...DEFAULT_SETTINGS.budget, money: 3 } },
      "budget:2",
      { budget: { ...DEFAULT_SETTINGS.budget, money: 2 } },
    ],
    [{ draft: true }, "draft:false", { draft: false }],
    [{ baseBranch: "main" }, "base:next", { baseBranch: "next" }],
  ])("never widen what a repository demands: %j and %s", (demands, option, expected) => {
    expect(withOptions({ ...DEFAULT_SETTINGS, ...demands }, { given: [option] })).toMatchObject(expected);
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
