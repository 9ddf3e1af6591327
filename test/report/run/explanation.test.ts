import { describe, expect, it } from "@jest/globals";
import MarkdownIt from "markdown-it";
import { renderTerminal } from "../../../src/commands/show/render-terminal.ts";
import type { RunRecord } from "../../../src/data/run-record.ts";
import { initialState } from "../../../src/data/run-state.ts";
import { formatTime } from "../../../src/data/spend.ts";
import type { RecordedCall } from "../../../src/models/language-model.ts";
import { type Element, type Node, plainText, type RunDocument } from "../../../src/report/run/document.ts";
import { type ExplainedRun, explanationText } from "../../../src/report/run/explanation.ts";
import { renderPage } from "../../../src/report/run/page.ts";
import { postedMarkdown } from "../../../src/text/posted.ts";
import { sampleCandidate } from "../../fakes/sample-candidate.ts";
import { sampleComment } from "../../fakes/sample-comment.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleOutcome } from "../../fakes/sample-outcome.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { fc } from "../../seeded.ts";
import { documentOf } from "./rendered.ts";
import { sampleCall, sampleReport } from "./sample-report.ts";

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
    const long = part.repeat(2_000);
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

const usage = fc.record({
  input: fc.nat(90_000),
  cacheWrite: fc.nat(9000),
  cacheRead: fc.nat(90_000),
  output: fc.nat(9000),
});

const tool = fc.constantFrom("search", "read", "plan", "review");

const madeCall = fc.record({
  prompt: fc.constantFrom("c02-locate-files", "p04-plan-work", "p09-change-file", "p11-review-work"),
  effort: fc.constantFrom("low" as const, "high" as const, undefined),
  usage,
  tools: fc.array(tool, { maxLength: 3 }),
  cutOff: fc.boolean(),
  failed: fc.boolean(),
  money: fc.double({ min: 0, max: 2, noNaN: true }),
  elapsed: fc.double({ min: 0, max: 200_000, noNaN: true }),
  /** tokens of attempts that came to nothing */
  lost: fc.constantFrom(0, 0, 700),
});

const madeCalls = fc.array(madeCall, { minLength: 1, maxLength: 12 }).map((made) =>
  made.map(({ prompt, effort, usage: used, tools, cutOff, failed, money, elapsed, lost }, at): RecordedCall => {
    const tokens = Object.values(used).reduce((sum, one) => sum + one, lost);
    const { answer, ...call } = sampleCall(prompt, at * 1000, elapsed, { tokens, money });
    if (failed || answer === undefined) return { ...call, failure: "It broke." };
    const blocks = tools.map((name, id) => ({ type: "tool_use" as const, id: String(id), name, input: {} }));
    const stop = cutOff ? "length" : answer.stop;
    return { ...call, answer: { ...answer, usage: used, blocks, effort, stop } };
  }),
);

/** All elements of that name, at any depth. */
const elements = (nodes: readonly Node[], name: string): readonly Element[] =>
  nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return [...(node.tag === name ? [node] : []), ...elements(node.children, name)];
  });

const bodyOf = ({ sections }: RunDocument, name: string) => sections.find(({ id }) => id === name)?.body ?? [];

const texts = (nodes: readonly Node[]) => nodes.map((node) => plainText([node]));

/** The facts of a section as text. */
const factsIn = (document: RunDocument, name: string): Record<string, string> =>
  Object.fromEntries(elements(elements(bodyOf(document, name), "dl"), "div").map(({ children }) => texts(children)));

/** The table of what each prompt used. */
function usedIn(document: RunDocument) {
  const [head = [], ...rows] = elements(bodyOf(document, "calls"), "tr").map(({ children }) => texts(children));
  return { head, rows: rows.slice(0, -1), sum: rows.at(-1) ?? [] };
}

const figure = (text = "") => Number(text.replace(/[$,]| s$/g, ""));

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);

const onOneLine = (text: string) => text.replace(/\s+/g, " ");

function expectAgreement(document: RunDocument): void {
  const facts = factsIn(document, "calls");
  const { head, rows, sum: all } = usedIn(document);
  for (const at of all.keys()) {
    if (at > 0) expect(sum(rows.map((row) => figure(row[at])))).toBeCloseTo(figure(all[at]), 6);
  }
  const cell = (name: string) => all[head.indexOf(name)];
  const calls = `${cell("Calls")} ${cell("Calls") === "1" ? "call" : "calls"}`;
  expect(factsIn(document, "result").Cost).toMatch(`${facts.Money}, ${calls}, ${facts.Tokens} token`);
  expect(facts.Calls?.split(",")[0]).toBe(cell("Calls"));
  expect(facts.Money).toBe(cell("Money"));
  const kinds = ["Input", "To cache", "Cached", "Output", "Failed"].filter((name) => head.includes(name));
  expect(sum(kinds.map((name) => figure(cell(name))))).toBe(figure(facts.Tokens));
  const [lookups] = elements(bodyOf(document, "calls"), "section").filter((one) =>
    plainText([one]).startsWith("Looked up"),
  );
  const listed = texts(elements([lookups ?? ""], "li")).flatMap((text) => text.split("; "));
  expect(listed.length).toBe(figure(facts["Look-ups"] ?? "0"));
}

describe("the figures of a run", () => {
  it("agree: the result, the facts, and the table with its sum", () => {
    expectAgreement(documentOf(sampleReport()));
    fc.assert(
      fc.property(madeCalls, (calls) => expectAgreement(documentOf(sampleReport({ calls })))),
      { numRuns: 30 },
    );
  });

  it("count each prompt", () => {
    const { head, rows, sum: all } = usedIn(documentOf(sampleReport()));
    expect(head).toEqual(["Prompt", "Calls", "Input", "To cache", "Cached", "Output", "Failed", "Money", "Time"]);
    const planned = ["plan work", "2", "1,000", "500", "4,000", "250", "100", "$0.0135", "20.9 s"];
    expect(rows).toContainEqual(planned);
    expect(all).toEqual(["All", "7", "6,000", "3,000", "24,000", "1,500", "100", "$0.0760", "53.9 s"]);
    expect(factsIn(documentOf(sampleReport()), "calls")).toMatchObject({
      Calls: "7, 1 of them failed",
      "In sequence": "6 one after another, 49 s",
      "Added up": "54 s",
    });
  });

  it("say at most where it was not kept when calls began", () => {
    const calls = sampleReport().calls.map(({ began: _none, ...call }) => call);
    expect(factsIn(documentOf(sampleReport({ calls })), "calls")["In sequence"]).toMatch(
      /^at most 7 one after another/,
    );
  });

  it("are the same on the terminal and in the page", () => {
    const document = documentOf(sampleReport());
    const page = onOneLine(renderPage(document).replace(/<[^>]*>/g, " "));
    const terminal = onOneLine(renderTerminal(document, { columns: 300, colours: false }));
    const { rows, sum: all } = usedIn(document);
    const known = [
      ...[...rows, all].flat(),
      ...Object.values(factsIn(document, "calls")),
      ...Object.values(factsIn(document, "result")),
    ];
    for (const text of known) for (const shown of [page, terminal]) expect(shown).toContain(text);
  });

  it("use the run's own count when no call is kept", () => {
    const { Cost } = factsIn(documentOf(sampleReport({ calls: [] })), "result");
    expect(Cost).toBe("$0.0760, 7 calls, 34,600 tokens, 1 min 1 s");
  });
});

it.each([
  [0, "0 s"],
  [400, "under 1 s"],
  [59_400, "59 s"],
  [59_600, "1 min 0 s"],
  [7_020_000, "1 h 57 min"],
])("%d ms are written as %s", (milliseconds, text) => expect(formatTime(milliseconds)).toBe(text));
