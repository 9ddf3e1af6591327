import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { COMMANDS_DOCUMENTS } from "../../docs/commands-documents.ts";
import { markers } from "../../src/data/marks.ts";
import type { TaskOutcome, Writer } from "../../src/data/work.ts";
import { checkReport } from "../../src/report/check-report.ts";
import { type ProofState, proofBlock } from "../../src/report/proof.ts";
import { pullRequestBody } from "../../src/report/pull-request-body.ts";
import { listTexts } from "../list-texts.ts";
import { fc } from "../seeded.ts";
import { COMMENT, OUTCOME, PROVED, PULL, PULL_REQUEST, type Texts } from "./text-samples.ts";
import { commands, onIssue } from "./texts-on-issues.ts";
import {
  answers,
  checkRun,
  checks,
  commits,
  onPullRequest,
  proofs,
  review,
  updates,
  whyUntested,
} from "./texts-on-pull-requests.ts";
import { wordsIn } from "./words-in.ts";

const MAX_WORDS = 120;

const withoutMarks = (text: string) => text.replace(/<!--[\s\S]*?-->/g, "");

/** Every text that the bot writes on GitHub, by place. */
const TEXTS: Readonly<Record<string, Texts>> = {
  "the comment on the issue": onIssue,
  "the pull request": onPullRequest,
  "how it was tested": proofs,
  "the QA Engineers' review": review,
  "answers to people's reviews": answers,
  "failing checks": checks,
  "merging the base": updates,
  "the app's check run": checkRun,
  "commands and refusals": commands,
  commits,
};

describe("the texts on GitHub", () => {
  it.each(Object.entries(TEXTS))("%s", (_, texts) => {
    expect(listTexts(Object.entries(texts))).toMatchSnapshot();
  });

  it("why it was not tested", () => {
    expect(whyUntested.join("\n")).toMatchSnapshot();
  });

  it.each(COMMANDS_DOCUMENTS.map((made) => [made.path, made] as const))(
    "are in the table of commands of %s",
    (path, { make }) => {
      const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
      expect(make(text) === text ? "current" : `${path} differs from the code: npm run docs:tables`).toBe("current");
    },
  );

  it("has a text for every mark by which the bot finds its own writes", () => {
    const made = Object.values(markers).map((mark) => {
      if (typeof mark === "string") return mark;
      return typeof mark === "function" ? (mark as (...values: unknown[]) => string)(["x"]) : mark.begin;
    });
    const names = made.map((mark) => /magis:[a-z-]+/.exec(mark)?.[0] ?? mark);
    const all = Object.values(TEXTS).flatMap((texts) => Object.values(texts));
    expect(names.filter((name) => !all.some((text) => text.includes(`<!-- ${name}`)))).toEqual([]);
  });
});

describe("a pull request's texts are short", () => {
  it.each(Object.keys(onPullRequest))("in its body, without folded parts and the proof: %s", (name) => {
    expect(wordsIn(onPullRequest[name] ?? "")).toBeLessThanOrEqual(MAX_WORDS);
  });

  it("in its body, whatever a model writes about a fix of one file in sentences of up to thirty words", () => {
    const word = fc.constantFrom("round", "`cents()`", "half", "a", "discount", "the", "README");
    const sentence = fc.array(word, { minLength: 3, maxLength: 29 }).map((words) => `It ${words.join(" ")}.`);
    const several = fc.array(sentence, { minLength: 1, maxLength: 8 }).map((sentences) => sentences.join(" "));
    fc.assert(
      fc.property(several, several, sentence, fc.boolean(), (problem, words, summary, isWhole) => {
        const solution = isWhole ? words : summary;
        const description = { problem, solution, template: "" };
        const plan = { ...PULL_REQUEST.plan, notes: [] };
        const outcomes = [{ ...OUTCOME, summary }];
        const body = pullRequestBody({ ...PULL_REQUEST, plan, description, outcomes });
        expect(wordsIn(body)).toBeLessThanOrEqual(MAX_WORDS);
        for (const part of [problem, solution]) expect(withoutFolds(body)).toContain(part);
      }),
    );
  });

  it.each(Object.keys(onIssue).filter((name) => name.startsWith("Published")))(
    "in three lines and a link on the issue: %s",
    (name) => {
      const text = withoutMarks(onIssue[name] ?? "");
      expect(text.split("\n").filter((line) => line.trim() !== "")).toHaveLength(3);
      expect(text).toContain(`](${PULL.url})`);
      expect(text).not.toContain("<details>");
    },
  );

  it.each(Object.keys(checkRun))("in two sentences and a link in the check run: %s", (name) => {
    expect(wordsIn(checkRun[name] ?? "")).toBeLessThanOrEqual(35);
  });
});

/** A body with folded texts appended to the lines before them. */
const withoutFolds = (body: string) =>
  body.replace(/\n\n<details><summary>More on this<\/summary>\n\n([\s\S]*?)\n\n<\/details>/g, " $1");

describe("how a change was tested", () => {
  const reason = fc.constantFrom("this repository has no checks.", "its test still fails with the fix.");
  const state: fc.Arbitrary<ProofState> = fc.oneof(
    fc.record({ unproved: reason, keep: fc.boolean(), failing: fc.boolean() }),
    fc.record({ waiting: fc.constantFrom("red" as const, "green" as const) }),
    fc.constant(PROVED),
  );
  const checked = fc.option(fc.record({ said: fc.constant("The check `npm test` passes."), passed: fc.boolean() }), {
    nil: undefined,
  });

  it("fills one section, tested or not, and never claims that nothing ran when something did", () => {
    fc.assert(
      fc.property(state, checked, (one, command) => {
        const block = proofBlock(one, command);
        expect(block.match(/^## (?:Tested|Not tested|Being tested|Tested, and failing)$/gm)).toHaveLength(1);
        expect(block).not.toMatch(/No test, build or linter/);
        if ("red" in one || ("unproved" in one && one.failing && !command)) expect(block).not.toContain("Not tested");
      }),
    );
  });

  it.each([
    ["javascript:alert(1)", "| green in test |"],
    ["http://x.test/a) [b](http://evil.test", "| green in [test](http://x.test/a%29%20%5Bb%5D%28http://evil.test) |"],
  ])("links to a check only by a web address: %s", (url, cell) => {
    const green = { commit: "b".repeat(40), checks: [{ name: "test", url }] };
    expect(proofBlock({ ...(PROVED as Extract<ProofState, { red: unknown }>), green })).toContain(cell);
  });

  it("keeps a check's name within its link", () => {
    const name = "a](http://evil.test) [b";
    const one = { commit: "b".repeat(40), checks: [{ name, url: "https://x.test/1" }] };
    const block = proofBlock({ red: one, green: one, tests: [{ name: "t", check: name, words: "" }], note: "" });
    expect(block).toContain("[a&#93;(http://evil.test) &#91;b](https://x.test/1)");
  });
});

describe("who did what", () => {
  const bodyOf = (outcome: TaskOutcome) => pullRequestBody({ ...PULL_REQUEST, outcomes: [outcome] });

  it.each<[readonly Writer[], string]>([
    [["manager", "developer", "qa"], "Manager, Invoice Developer and Invoicing QA Engineer"],
    [[], "nobody"],
  ])("names who wrote each change: %j", (writers, names) => {
    expect(bodyOf({ ...OUTCOME, writers })).toContain(
      `| \`src/invoice.js\` | ${names} | Invoicing QA Engineer, 2 rounds |`,
    );
  });

  it("says in the body and the check run that nobody reviewed the change", () => {
    for (const attempts of [[], [{ round: 1, diff: "", approved: false, verdict: "" }]]) {
      const outcome = { ...OUTCOME, status: "open", attempts } as const;
      expect(bodyOf(outcome)).toContain("| Manager and Invoice Developer | nobody |");
      const run = checkReport({ what: "For #7", end: { outcomes: [outcome], openComments: 0 } });
      expect(run).toMatchObject({ conclusion: "neutral", title: "For #7: not reviewed" });
      expect(run.summary).toContain("No QA Engineer of MAGIS has read this change.");
    }
    const none = checkReport({ what: "For #7", end: { outcomes: [], openComments: 0 } });
    expect(none).toMatchObject({ conclusion: "neutral", title: "For #7: not reviewed" });
    const half = [OUTCOME, { ...OUTCOME, status: "open", attempts: [], comments: [COMMENT] } as const];
    expect(checkReport({ what: "A", end: { outcomes: half, openComments: 1 } }).title).toBe(
      "A: one review comment is open, not all of it was reviewed",
    );
  });

  it("describes the plan in sentences, without its code", () => {
    const plan = {
      ...PULL_REQUEST.plan,
      source: 'concurrently(run("t1"), run("t2"));',
      order: {
        sequence: [{ run: "t2" }, { concurrently: [{ run: "t1" }, { sequence: [{ run: "t2" }, { run: "t1" }] }] }],
      },
    };
    const body = pullRequestBody({ ...PULL_REQUEST, plan });
    expect(body).not.toMatch(/concurrently|run\(|\bt[12]\b/);
    expect(body).toContain(
      "Order: `test/invoice.test.js`, then `src/invoice.js` and (`test/invoice.test.js`, then `src/invoice.js`) side by side.",
    );
  });
});
