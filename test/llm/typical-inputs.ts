import { numberLines } from "../../src/edits/numbered.ts";
import type { Inputs } from "../../src/llm/prompt-runner.ts";
import { sampleComment } from "../fakes/sample-comment.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleTask } from "../fakes/sample-task.ts";

const DIFF = "--- a/src/money.js\n+++ b/src/money.js\n@@ -1 +1 @@\n-old\n+new\n";

/**
 * Typical values for every prompt, by its id. `untrusted` is put over each text that people, files or other agents
 * have written and that a prompt must keep behind a fence.
 */
export function typicalInputs(untrusted: (text: string) => string = (text) => text): Readonly<Record<string, Inputs>> {
  const issue = sampleIssue({ hint: "Look at money.js." });
  const shown = {
    ...issue,
    ...{ title: untrusted(issue.title), body: untrusted(issue.body), hint: untrusted(issue.hint) },
    discussion: issue.discussion.map(({ author, body }) => ({ author, body: untrusted(body) })),
  };
  const file = {
    path: "src/money.js",
    content: untrusted(numberLines(["const a = 1;\n", "\n", "\n", "\n", "f(a);\n"])),
  };
  const task = { ...sampleTask(), description: untrusted(sampleTask().description) };
  const other = sampleTask({ id: "t2", path: "test/money.test.js", action: "create", title: "Test roundCents" });
  const team = {
    tasks: [sampleTask(), other],
    agreed: untrusted("roundCents(cents) is the name."),
    finished: [untrusted(DIFF)],
  };
  const record = [{ speaker: "Manager", text: untrusted("Let us begin.") }];
  const previous = {
    diff: untrusted(DIFF),
    comments: [{ ...sampleComment(), body: untrusted(sampleComment().body) }],
    reason: untrusted("Not yet."),
  };
  const interval = { start: 2, end: 3, change: "Round here." };
  const base = { issue: shown, ...team, task };
  return {
    "c02-locate-files": {
      issue: shown,
      files: [
        {
          path: file.path,
          reasons: "has `roundCents`",
          kind: "outline",
          view: untrusted("export function a()"),
          matches: "",
        },
        {
          path: "src/invoice.js",
          reasons: "named",
          kind: "change",
          view: untrusted(`Invoices.\n\n${DIFF}`),
          matches: untrusted("7 | round()"),
        },
        { path: "src/tax.js", reasons: "its words", kind: "summary", view: untrusted("Taxes."), matches: "" },
      ],
      map: untrusted("src/\n  money.js: formatCents"),
    },
    "d01-describe-change": {
      issue: shown,
      changes: [{ summary: "Rounds.", diff: untrusted(DIFF) }],
      template: untrusted("## Checks"),
    },
    "j01-judge-correlation": {
      issue: shown,
      tasks: [{ ...task, title: untrusted(task.title) }],
      patch: untrusted(DIFF),
    },
    "d02-fill-template": {
      number: 7,
      words: { title: untrusted("round"), problem: untrusted("It cut."), solution: untrusted("It rounds.") },
      changes: ["src/money.js"],
      template: untrusted("## Checks"),
    },
    "k01-plan-repair": {
      ...{ issue: shown, files: [file], others: ["src/invoice.js"] },
      earlier: [untrusted("Round in money.js.")],
    },
    "m01-open-meeting": { issue: shown, ...team },
    "m02-speak-in-meeting": { ...base, ...file, record },
    "m03-close-meeting": { issue: shown, ...team, record },
    "p01-summarise-change": { path: file.path, summary: untrusted("Money helpers."), diff: untrusted(DIFF) },
    "p02-summarise-file": { path: file.path, content: untrusted("const a = 1;\n\n\n\nf(a);\n") },
    "p03-judge-relevance": {
      issue: shown,
      files: [{ path: file.path, reasons: "has `roundCents`", summary: untrusted("Money helpers.") }],
    },
    "p04-define-task": {
      issue: shown,
      ...file,
      candidates: [{ path: "src/invoice.js", summary: "Invoices.\nDiscounts." }],
    },
    "p04-plan-work": {
      ...{ issue: shown, files: [{ ...file, size: 90, whole: false }], turns: 2 },
      others: [{ path: "src/invoice.js", summary: "Invoices.\nDiscounts." }],
      tests: [{ path: "test/money.test.js", names: "testRound", sample: untrusted("1 | test();") }],
      changelog: { path: "CHANGES.md", content: untrusted("1 | # Changes") },
    },
    "p05-describe-developer": { issue: shown, task },
    "p06-adjust-role": { issue: shown, task, agreed: team.agreed },
    "p07-write-plan": team,
    "p08-describe-qa-engineer": { issue: shown, ...file, task },
    "p09-locate-lines": { ...base, ...file, lineCount: 5, previous },
    "p09-change-file": {
      ...{ ...base, ...file, lineCount: 90, whole: false, previous, turns: 2 },
      places: [{ path: "src/tax.js", content: untrusted(numberLines(["tax();\n"], 7)) }],
    },
    "p10-write-code": {
      ...{ ...base, ...file, previous, interval, intervals: [{ start: 2, end: 1, change: "Import it." }, interval] },
      ...{ written: [{ start: 2, end: 1, text: untrusted("import x;\n") }], oldPart: untrusted("a\n\n\n\nb\n") },
    },
    "p10-write-new-file": {
      ...base,
      previous: null,
      neighbours: [{ path: "test/a.test.js", content: untrusted("a();\n") }],
    },
    "p11-review-work": {
      ...{ issue: shown, reason: untrusted("Halves are cut off."), agreed: team.agreed, round: 2, lastRound: 3 },
      changes: [
        {
          ...{ task, qaEngineer: { title: "Rounding QA", description: "Checks halves." }, summary: "Rounds." },
          diff: untrusted("      - old\n    1 + new"),
        },
      ],
      called: untrusted("src/money.js\n7 | function cut() {"),
      ...{ uses: untrusted("roundCents:\nsrc/invoice.js:3: roundCents(1)"), tests: true, turns: 2 },
      earlier: [{ ...sampleComment(), reply: "It is right." }],
    },
    "p11-review-change": {
      ...{ ...base, qaEngineer: { title: "Rounding QA", description: "Checks halves." }, round: 2, lastRound: 3 },
      ...{
        diff: untrusted(DIFF),
        excerpt: untrusted("1\tnew"),
        earlier: [{ ...sampleComment(), reply: "Turned round." }],
      },
    },
    "r01-assign-comments": {
      ...{ issue: shown, words: untrusted("fix: round cents"), files: [file], paths: ["src/invoice.js"] },
      conversation: [{ author: "magis[bot]", own: true, body: untrusted("It rounds.") }],
      comments: [{ id: "re1", author: "ana", body: untrusted("Why not floor?") }],
    },
  };
}
