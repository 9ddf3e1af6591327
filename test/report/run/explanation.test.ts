import { describe, expect, it } from "@jest/globals";
import MarkdownIt from "markdown-it";
import type { RunRecord } from "../../../src/data/run-record.ts";
import { initialState } from "../../../src/data/run-state.ts";
import { type ExplainedRun, explanationText } from "../../../src/report/run/explanation.ts";
import { postedMarkdown } from "../../../src/text/posted.ts";
import { sampleCandidate } from "../../fakes/sample-candidate.ts";
import { sampleComment } from "../../fakes/sample-comment.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleOutcome } from "../../fakes/sample-outcome.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";

const GITHUB_LIMIT = 65_536;

const run = (record: Partial<RunRecord>, changes: Partial<ExplainedRun> = {}): ExplainedRun => ({
  request: sampleRequest(),
  isOpen: false,
  state: { ...initialState(), result: { kind: "nothing-to-change", reason: "" } },
  record: { others: {}, ...record },
  ...changes,
});
const text = (record: Partial<RunRecord>, changes: Partial<ExplainedRun> = {}) =>
  explanationText([run(record, changes)], ["help"]);
const work = (...outcomes: NonNullable<RunRecord["work"]>["outcomes"]) => ({ outcomes, changes: [], patch: "" });
const attempt = (approved: boolean, verdict: string, rejected?: string) => ({
  round: 1,
  diff: "",
  approved,
  verdict,
  rejected,
});
const push = (stage: string, verdict: string, reason: string) => ({
  commit: "0123456789abcdef",
  stage,
  verdict,
  reason,
  checks: [],
  tests: [],
  asked: [],
});

describe("an explanation of what a run gave up or left in doubt", () => {
  it.each<[string, Partial<RunRecord>, string]>([
    [
      "a task without a usable change",
      { work: work(sampleOutcome({ status: "failed", summary: "No line fits." })) },
      "\n\nNo line fits.\n",
    ],
    [
      "an unchanged file",
      { work: work(sampleOutcome({ status: "unchanged", summary: "It rounds already." })) },
      "It rounds already.",
    ],
    [
      "a test that passed without the fix",
      { proof: { pushes: [push("red", "not-red", "")] } },
      "**The test alone (not red) (0123456789)**",
    ],
    [
      "a fix whose checks failed",
      { proof: { pushes: [push("green", "other-red", "timed-out")] } },
      "**With the fix (red for another reason: they ran out of time) (0123456789)**",
    ],
    [
      "the work before a restart",
      {
        start: {
          issue: sampleIssue(),
          base: { branch: "main", commit: "" },
          by: "",
          anew: "History was rewritten.",
        },
      },
      "- Begun again: History was rewritten.",
    ],
    [
      "tasks that the budget did not reach",
      { work: { ...work(), stopped: { limit: "money", unfinished: ["Test it"] } } },
      "**Not finished**\n\n- Test it",
    ],
    [
      "a comment that the QA Engineer fixed",
      { work: work(sampleOutcome({ comments: [sampleComment({ status: "settled", mended: true })] })) },
      "Negative halves go the wrong way.\n\nThe QA Engineer changed it.",
    ],
    [
      "a change that nobody reviewed",
      { work: work(sampleOutcome({ attempts: [] })) },
      "No QA Engineer has reviewed it.",
    ],
  ])("names %s", (_, record, line) => {
    expect(text(record)).toContain(line);
  });
});

describe("an explanation", () => {
  it.each<[string, Partial<ExplainedRun>, string]>([
    ["ended", {}, "**The run of 2026-01-01 12:00 UTC, which ana asked for.** Nothing to change."],
    ["is still open", { isOpen: true }, "Not begun."],
    ["has no recorded end", { state: undefined }, "How it ended is not kept.\n\nNothing is kept of how it came about."],
    [
      "repaired checks",
      { request: sampleRequest({ work: { kind: "repair", head: "1" } }) },
      "UTC on the pull request, for its failing checks.**",
    ],
  ])("says which run it explains: one that %s", (_, changes, words) => {
    expect(text({}, changes)).toContain(words);
  });

  const code = (before: string, rest: string) =>
    `${before}\`\`\`\n${rest}<!-- magis:checks -->\n${rest}<details><summary>Approved</summary>\n${rest}\`\`\``;
  it.each([
    ["code", code("", "")],
    ["an item that is nothing but code", code("- ", "  ")],
    ["a quote in an item", code("- > ", "  > ")],
  ])("is posted without marks and folds of the bot's that somebody has written: %s", (_, verdict) => {
    const posted = postedMarkdown(text({ work: work(sampleOutcome({ attempts: [attempt(false, verdict)] })) }));
    expect(posted).toContain("Approved");
    expect(posted).not.toContain("<!-- magis");
    expect(new MarkdownIt({ html: true }).render(posted)).not.toContain("<summary>Approved");
  });

  it("shows the first of a long section, folds more, and says that there is more", () => {
    const judged = Array.from({ length: 500 }, (_, at) => sampleCandidate(`src/${at}.js`));
    const [shown = "", folded = ""] = text({ candidates: { judged } }).split("<summary>More</summary>");
    expect(shown.match(/<summary>src/g)?.length).toBeGreaterThan(3);
    expect(folded.match(/<summary>src/g)?.length).toBeGreaterThan(20);
    expect(folded).toContain("the run's record keeps it");
  });

  it.each(["a", "|", "\n# "])("stays below GitHub's limit for two long runs: %j", (part) => {
    const long = part.repeat(5_000);
    const comments = Array.from({ length: 20 }, () => sampleComment({ body: long, reply: long }));
    const attempts = Array.from({ length: 20 }, () => attempt(false, long));
    const outcomes = Array.from({ length: 20 }, () =>
      sampleOutcome({ path: long.slice(0, 4_000), summary: long, comments, attempts }),
    );
    const judged = outcomes.map(({ path }, at) => sampleCandidate(path, { reason: long, relevant: at % 2 === 0 }));
    const record = run({ candidates: { judged, note: long }, work: work(...outcomes), tasks: tasksWith(long) });
    expect(explanationText([record, record], ["help"]).length).toBeLessThan(GITHUB_LIMIT);
  });
});

const tasksWith = (reason: string) => ({ assignments: [], refused: [], reason });
