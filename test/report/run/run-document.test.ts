import { describe, expect, it } from "@jest/globals";
import stringWidth from "string-width";
import { initialState, type RunResult, type RunState } from "../../../src/data/run-state.ts";
import { diff } from "../../../src/report/run/document.ts";
import { shortHeadline } from "../../../src/report/run/headline.ts";
import type { RunReport } from "../../../src/run/runs.ts";
import { HOSTILE, hostileReport } from "./hostile-report.ts";
import { documentOf, nodesAsHtml, pageOf, textOf } from "./rendered.ts";
import { emptyReport, sampleReport } from "./sample-report.ts";

const ESC = "\u001b";
/** any control but a newline */
const CONTROL = /[^\P{Cc}\n]/u;
const OWN_COLOURS = new RegExp(`${ESC}\\[(?:[12]|3[1-36]|22|39)m`, "g");

/** The sample with other parts in its record. */
const withRecord = (parts: object): RunReport => ({
  ...sampleReport(),
  record: { ...sampleReport().record, ...parts },
});

describe("a run", () => {
  it("shows the result first, then role by role", () => {
    const { sections } = documentOf(sampleReport());
    expect(sections.map(({ id }) => id)).toEqual([
      "result",
      "issue",
      "candidates",
      "plan",
      "code",
      "proof",
      "calls",
      "other",
    ]);
    const text = textOf(sampleReport());
    for (const words of [
      "Stopped: its money budget is used up",
      "Title      fix: round discounts",
      "Problem    They were cut off.",
      "Cause      Rounding is wrong.",
      "Proof      Its test failed in the repository's checks without the fix, and passes with it.",
      "Cost       $0.0760, 7 calls, 34,600 tokens, 1 min 1 s",
      "Resumed    once, after the process had stopped",
      "- src/money.js: roundCents rounds to whole cents.",
      "  -  return Math.floor(cents);",
      "  - Plan: done, 3 tasks",
      "src/money.js [relevant]",
      "src/invoice.js [to be read]",
      "README.md  Only words.",
      "Add roundCents (t1)",
      "Role  Money developer t1: Knows integer amounts.",
      "I export it, @ben uses it.",
      "The Manager's own order was not used: t2 was missing.",
      "t1, then t2 and t3 side by side.",
      "Add roundCents [approved] (t1)",
      "Round 1 [not approved]",
      "Turned back before a QA Engineer saw it: Line 3 does not parse any more.",
      "The change of this round is the final one.",
      "QA Engineer on src/money.js:2: [settled]",
      "They go away from zero now.",
      "t4 was missing from the plan and was added: Tell it",
      "Round discounts [failed] (t2)",
      "No usable answer came.",
      "The test alone [red, as it should be] (3434343434)",
      "failed, 41 s, https://host.example/checks/1",
      "expected 1.01",
      "With the fix [green] (5656565656)",
      "- 2 plan work: The model is overloaded.",
      '- 3 plan work: search "roundCents" in src; read src/money.js:1-9',
      '"pattern": "roundCents"',
    ])
      expect(text).toContain(words);
  });

  it("shows no back-ticks, no prompt ids and no code of the plan", () => {
    const text = textOf(sampleReport());
    for (const absent of [/`/, /[a-z]\d\d-/, /run\("/, /concurrently/]) expect(text).not.toMatch(absent);
  });

  it("states a cause that equals the problem once, and a check's first words only when they changed", () => {
    const check = { command: "npm test", base: "green", rounds: 1, end: "red", words: "1 failed", first: "1 failed" };
    const { plan } = sampleReport().record as { plan: { description: { problem: string } } };
    const text = textOf(withRecord({ check, plan: { ...plan, reason: plan.description.problem }, proof: undefined }));
    expect(text.split("They were cut off.")).toHaveLength(2);
    expect(text.split("1 failed")).toHaveLength(2);
    expect(text).toContain("Proof      Check “npm test” fails after one round of repair");
  });

  it("shows the test that a proof pushed before the fix as a part of the change, once", () => {
    const testDiff = "diff --git a/test/a.js b/test/a.js\n--- /dev/null\n+++ b/test/a.js\n@@ -0,0 +1 @@\n+check();\n";
    const { work } = sampleReport().record as { work: { outcomes: { attempts: unknown[] }[] } };
    const attempt = { round: 1, diff: testDiff, approved: true, verdict: "" };
    const outcomes = [{ ...work.outcomes[0], taskId: "t3", attempts: [attempt], comments: [] }, ...work.outcomes];
    const [result] = textOf(withRecord({ work: { ...work, outcomes } })).split("The issue\n");
    expect(result).toContain("+check();");
    expect(textOf(withRecord({ work: { ...work, outcomes } })).split("+check();")).toHaveLength(2);
  });

  it("asks its questions, and says what a failure is logged as", () => {
    const asked = { kind: "asked" as const, questions: ["Which `rate`?"], reason: "Two fit." };
    const text = textOf(sampleReport({ state: { ...initialState(), result: asked } }));
    expect(text).toMatch(/Two fit\.[\s\S]*Questions\n {2}- Which rate\?/);
    const failed = { kind: "failed" as const, message: "The model does not answer.", code: "MODEL_UNAVAILABLE" };
    const shown = textOf(sampleReport({ state: { ...initialState(), result: failed } }));
    expect(shown).toMatch(/Failed\n─+\nThe model does not answer\.\n/);
    expect(shown).toMatch(/Logged as +MODEL_UNAVAILABLE/);
  });

  it("leaves out missing parts", () => {
    expect(textOf(emptyReport())).toBe(`local\nlocal\n\nNot begun\n${"─".repeat(100)}`);
  });

  it.each([
    [null],
    ["words"],
    [7],
    [[]],
    [{ judged: 1, outcomes: "x", tasks: {}, issue: [], order: { sequence: [{}] } }],
  ])("takes %j for a part of the record", (part) => {
    const names = ["start", "candidates", "tasks", "plan", "work", "commit", "proof", "check", "description"];
    const record = Object.fromEntries(names.map((name) => [name, part]));
    const report = { ...emptyReport(), record };
    expect(textOf(report)).toContain("Also kept");
    expect(pageOf(report)).toContain("Also kept");
  });
});

describe("a run on the terminal", () => {
  it("is coloured only on request", () => {
    expect(textOf(sampleReport())).not.toContain(ESC);
    expect(textOf(sampleReport(), 100, true)).toContain(`${ESC}[31m-  return Math.floor(cents);${ESC}[39m`);
  });

  it("lets no text of the run write control sequences", () => {
    const plain = textOf(hostileReport());
    expect(plain).toContain("window.hacked");
    expect(plain).not.toMatch(CONTROL);
    expect(plain).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(textOf(hostileReport(), 100, true).replaceAll(OWN_COLOURS, "")).toBe(plain);
  });

  it.each([40, 80, 100])("keeps its words within %i columns", (columns) => {
    const wide = textOf(sampleReport({ title: "日本語の題名 ".repeat(20) }), columns)
      .split("\n")
      .filter((line) => stringWidth(line) > columns)
      // Code and diffs are not broken.
      .filter((line) => !/^ *[|+@-]/.test(line));
    expect(wide).toEqual([]);
  });
});

describe("a run as a page", () => {
  it("has a table of contents, the diff open by line, links, and Markdown", () => {
    const html = pageOf(sampleReport());
    for (const { id } of documentOf(sampleReport()).sections) {
      expect(html).toContain(`<a href="#${id}">`);
      expect(html).toContain(`<section id="${id}"`);
    }
    expect(html).toMatch(/<details open="">.{0,200}The change/);
    expect(html).toContain('<span class="removed">--- a comment of another language</span>');
    expect(html).toContain('<span class="head">--- a/src/money.js</span>');
    expect(html).toContain('<a href="https://host.example/ana/shop/issues/7" rel="noopener noreferrer">');
    expect(html).toContain("See <code>discountOf</code> in src/invoice.js.</p>");
  });

  it("is made of the tags that we write and of no others, whatever a run's texts are", () => {
    const html = pageOf(hostileReport());
    const tags = new Set([...html.matchAll(/<\/?([a-z!][^\s>]*)/gi)].map(([, tag]) => tag));
    const own =
      "!doctype html head meta title link style body header h1 h2 h3 h4 h5 h6 p nav ol ul li a main section div dl dt dd span code pre details summary figure figcaption blockquote table thead tbody tfoot tr th td em";
    expect([...tags].filter((tag) => !own.split(" ").includes(String(tag)))).toEqual([]);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
    expect(html).not.toMatch(/href="(?!https?:|#|data:,")/);
    expect(html).not.toMatch(/[\u202a-\u202e]|[^\P{Cc}\n\t]/u);
    expect(html).toContain("⟨U+202E⟩");
    expect(html).toContain("⟨U+0000⟩");
  });

  it("loads and runs nothing", () => {
    const html = pageOf(sampleReport());
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
    expect(html).not.toMatch(/<(script|link rel="stylesheet")|@import|url\(/);
  });
});

describe("a diff", () => {
  it("sorts its lines by the lengths of the hunks", () => {
    const text =
      "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- x\n-y\n+++ z\n\\ No newline at end of file\ndiff --git a/y b/y\n";
    const kinds = (one: string) => nodesAsHtml([diff(one)]).match(/(?<=<span class=")\w+/g);
    expect(kinds(text)).toEqual(["head", "head", "hunk", "removed", "removed", "added", "same", "head"]);
    expect(kinds(HOSTILE)).toEqual(["head"]);
  });
});

const link = { number: 2, url: "https://host.example/ana/shop/pull/2" };
const published: RunResult = { kind: "published", pullRequest: link, openThreads: 0 };
const patch: RunResult = { kind: "dry-run", made: "patch", openComments: 0 };
const unchanged: RunResult = { kind: "nothing-to-change", reason: "it works" };
const over = { phase: "code", patch: "", finished: [], unfinished: [] } as const;
const proof = (proved: boolean, failed?: string) => ({ proved, said: "So it was.", failed });

const ENDS: readonly (readonly [string, string, RunResult, RunReport["work"]?])[] = [
  ["Pull request #2 opened", "good", published],
  ["Pull request #2 opened", "warn", { ...published, openThreads: 1 }],
  ["Pull request #2 opened, its fix proved by a test", "good", { ...published, proof: proof(true) }],
  ["Pull request #2 opened", "good", { ...published, proof: proof(false) }],
  ["Pull request #2 opened, its checks fail", "warn", { ...published, proof: proof(false, "1234") }],
  ["Review answered on pull request #2", "good", published, "revise"],
  ["Repair of failing checks pushed to pull request #2", "good", published, "repair"],
  ["Patch made, not published", "good", patch],
  ["Patch made, not published: its check fails", "warn", { ...patch, check: "red" }],
  ["Plan made, nothing written", "good", { ...patch, made: "plan" }],
  ["Nothing to change", "plain", unchanged],
  ["Nothing changed on the pull request", "plain", unchanged, "revise"],
  ["Base merged into pull request #2", "good", published, "update"],
  ["Nothing to merge", "plain", unchanged, "update"],
  ["Checks not repaired", "plain", unchanged, "repair"],
  ["Gave up, nothing written", "bad", { kind: "gave-up", reason: "" }],
  ["Questions asked, waiting for answers", "warn", { kind: "asked", questions: ["Which?"], reason: "" }],
  ["Stopped: its money budget is used up", "warn", { ...over, kind: "budget-reached", limit: "money" }],
  ["Stopped: its time budget is used up", "warn", { ...over, kind: "budget-reached", limit: "minutes" }],
  ["Cancelled by ana", "warn", { kind: "cancelled", by: "ana", undone: [] }],
  ["Cancelled", "warn", { kind: "cancelled", by: "", undone: [] }],
  ["Stopped: the issue was closed", "warn", { kind: "cancelled", by: "ana", undone: [], because: "closed" }],
  [
    "Stopped: the pull request was merged",
    "warn",
    { kind: "cancelled", by: "", undone: [], because: "merged" },
    "repair",
  ],
  ["Refused, nothing written", "warn", { kind: "refused", reason: "" }],
  ["Failed", "bad", { kind: "failed", message: "It broke.", code: "BROKEN" }],
];

const phases = (working: string) =>
  initialState().phases.map((phase) => (phase.name === working ? { ...phase, status: "working" as const } : phase));

const allDone = initialState().phases.map((phase) => ({ ...phase, status: "done" as const }));

const since = { since: "2026-01-01T12:00:00Z", waited: 0 };

const NOON = "since 2026-01-01 12:00 UTC";

const ASKED = `since ${sampleReport().requestedAt.replace("T", " ").slice(0, 16)} UTC`;

const UNFINISHED: readonly (readonly [string, Partial<RunState>])[] = [
  ["Not begun", {}],
  [`Queued behind 2 runs ${ASKED}`, { queued: { ahead: 2 } }],
  [`Queued, next of its repository ${ASKED}`, { queued: { ahead: 0 } }],
  [`Finding the files ${NOON}`, { phases: phases("locate"), ...since }],
  [`Planning ${NOON}`, { phases: phases("plan"), ...since }],
  [`Writing and reviewing the change ${NOON}`, { phases: phases("code"), ...since }],
  [`Publishing ${NOON}`, { phases: phases("publish"), ...since }],
  [`Waiting for the model ${NOON}`, { waiting: { ...since, for: "model" } }],
  [`Waiting for GitHub ${NOON}`, { waiting: { ...since, for: "host" } }],
  [`Waiting for GitHub's rate limit to lift ${NOON}`, { waiting: { ...since, for: "writes" } }],
  [`Waiting for checks ${NOON}`, { phases: allDone, checks: since }],
];

const headed = (state: unknown, work?: RunReport["work"]) => {
  const [first] = documentOf({ ...sampleReport(), state, work }).sections;
  return first && { title: first.title, tone: first.tone };
};

describe("the headline of a run", () => {
  // As objects: Jest would take a fourth parameter that a row does not have for the callback of an asynchronous test.
  const rows = ENDS.map(([title, tone, result, work]) => ({ title, tone, result, work }));
  it.each(rows)("is $title ($tone)", ({ title, tone, result, work }) => {
    expect(headed({ ...initialState(), result }, work)).toEqual({ title, tone });
  });

  it.each(UNFINISHED)("is %j as long as it has not ended", (title, changes) => {
    expect(headed({ ...initialState(), ...changes })).toEqual({ title, tone: "warn" });
  });

  it("is a plain word for an end of another version", () => {
    expect(headed({ ...initialState(), result: { kind: "put-off" } })).toMatchObject({ title: "Ended: put off" });
    expect(headed({ ...initialState(), result: { kind: "constructor" } })).toMatchObject({
      title: "Ended: constructor",
    });
    expect(headed(undefined)).toEqual({ title: "Not begun", tone: "warn" });
  });

  it("is short in a list", () => {
    const shown = [...new Set(ENDS.map(([, , { kind }]) => shortHeadline({ end: kind }).text))];
    for (const text of shown) expect(text).toMatch(/^[a-z, ]{6,20}$/);
    expect(shortHeadline({ end: "published", pullRequest: 7 }).text).toBe("pull request #7");
    expect(shortHeadline({}).text).toBe("not ended");
    expect(shortHeadline({ end: "failed", standing: { is: "queued", ahead: 1 } }).text).toBe("queued behind 1 run");
    expect(shortHeadline({ end: "constructor" }).text).toBe("constructor");
  });
});
