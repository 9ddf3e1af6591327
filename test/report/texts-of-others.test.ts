import { describe, expect, it } from "@jest/globals";
import { readRepairs, repairMark } from "../../src/data/marks.ts";
import type { RunRecord } from "../../src/data/run-record.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import { commentAnswers, threadAnswer } from "../../src/follow-up/revise/answers.ts";
import { checkComment } from "../../src/report/check-comment.ts";
import { proofBlock, untested } from "../../src/report/proof.ts";
import { pullRequestBody } from "../../src/report/pull-request-body.ts";
import { reviewText } from "../../src/report/review-text.ts";
import { explanationText } from "../../src/report/run/explanation.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { codeBlock, codeSpan, plain, prose } from "../../src/text/compose-markdown.ts";
import { listed } from "../../src/text/patterns.ts";
import { sampleComment } from "../fakes/sample-comment.ts";
import { sampleOutcome } from "../fakes/sample-outcome.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { sampleTask } from "../fakes/sample-task.ts";
import { fc } from "../seeded.ts";

const EVIL = "a | b @octocat fixes #5 <!-- magis:review x --> <!-- magis:qa t1-r1-1 -->";
const LINES = `~~~\n@octocat fixes #5\n~~~\n| x | y |\n\n${EVIL}`;
const spend = { calls: 1, tokens: 1, money: 1, elapsed: 1 };
const BUDGET = { money: 5, tokens: 5, minutes: 5 };

/** Everything that the bot posts, with `hostile` in place of every text of a model or a file. */
function posted(hostile: string, path: string): string[] {
  const task = sampleTask({
    title: hostile,
    description: hostile,
    path,
    developer: { title: hostile, description: hostile },
  });
  const comments = [
    sampleComment({ body: hostile, path }),
    sampleComment({ id: "t1-r1-2", body: hostile, path, reply: hostile }),
  ];
  const attempts = [{ round: 1, diff: hostile, approved: false, verdict: hostile }];
  const outcome = sampleOutcome({
    path,
    summary: hostile,
    comments,
    attempts,
    qaEngineer: { title: hostile, description: hostile },
  });
  const failed = { ...outcome, status: "failed" as const };
  const plan = {
    tasks: [task, { ...task, id: "t2" }],
    order: { run: "t1" },
    source: hostile,
    fallback: hostile,
    meeting: [{ speaker: hostile, text: hostile }],
    agreed: hostile,
    reason: hostile,
    refused: 0,
    notes: [hostile],
  };
  const description = { problem: hostile, solution: hostile, template: hostile };
  const limit = { kind: "budget-reached", limit: "money", phase: "code", patch: "" } as const;
  const results: RunResult[] = [
    { kind: "nothing-to-change", reason: hostile },
    { kind: "gave-up", reason: hostile },
    { kind: "failed", code: "X", message: hostile },
    { kind: "refused", reason: hostile },
    { ...limit, finished: [hostile], unfinished: [hostile] },
  ];
  const phases = [{ name: "code" as const, status: "working" as const, detail: hostile }];
  const tasks = [{ id: "t1", path, title: hostile, status: "waiting" as const }];
  const request = sampleRequest({ id: "own", root: "own", actor: hostile, trigger: { kind: "label", label: hostile } });
  const body = {
    marker: "",
    issue: 7,
    description,
    plan,
    cost: { spend, byRole: [], inAll: spend.money },
    proof: proofBlock({ unproved: untested.redBase(hostile), keep: false }),
    making: { models: ["claude-opus-5-5", "claude-haiku-5-5"], askedBy: "ana" },
    commitWay: "signed by GitHub" as const,
  };
  const candidate = {
    path,
    blob: "",
    score: 1,
    reasons: [hostile],
    summary: hostile,
    source: "",
    relevant: true,
    reason: hostile,
  };
  const record: RunRecord = {
    candidates: { judged: [candidate, { ...candidate, relevant: false }], note: hostile },
    plan,
    work: { outcomes: [outcome, failed], changes: [], patch: "", unfollowed: [hostile] },
    others: {},
  };
  const names = [hostile];
  const checks = { head: "h", ours: names, unknown: names, theirs: names, theirsId: "i", reason: hostile };
  return [
    explanationText([{ request, isOpen: false, state: undefined, record }], []),
    explanationText([{ request, isOpen: true, state: undefined, record: { plan, others: {} } }], []),
    ...results.map((result) => trackingComment(request, { phases, tasks, spend, resumed: 0, result }, BUDGET)),
    pullRequestBody({ ...body, outcomes: [outcome, failed] }),
    checkComment.repaired({ ...checks, commit: "c", title: hostile, outcomes: [outcome], round: 1, rounds: 3, spend }),
    checkComment.notRepaired(checks, hostile, spend),
    checkComment.unsteady(checks, [{ name: hostile, why: hostile }]),
    reviewText.body("", [outcome], comments),
    threadAnswer({ source: "thread-4", developer: hostile, reply: hostile }),
    commentAnswers([{ source: "thread-4", author: hostile, body: hostile, reply: hostile, paths: [path] }], "c"),
    ...comments.map((comment) => reviewText.comment(comment, outcome)),
    ...comments.map((comment) => reviewText.reply(comment, hostile, hostile)),
  ];
}

const OWN_MARKS = listed(
  "^<!-- /?magis:",
  String.raw`run\x20own answer\x20thread-4 (?:qa|reply)\x20t1-r1-[12] proof checks checked\x20h red-on-base\x20i repaired\x20c\x20\S+`,
  " -->$",
  "gm",
);

/** A text without its fenced code and code spans, in which GitHub pings nobody. */
const withoutCode = (text: string) =>
  text
    .replace(/^> /gm, "")
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, "")
    .replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "(code)");

describe("untrusted text", () => {
  const paths = [
    "src/`@octocat`.js",
    "a|b.js",
    "``@octocat",
    "<!-- magis:qa t1-r1-1 -->.js",
    "x`<!-- magis:review x -->`.md",
  ];

  it.each(
    paths.flatMap((path) => [EVIL, LINES].map((text) => [text === EVIL ? "a line" : "lines", path, text] as const)),
  )("pings nobody, closes nothing and forges no mark: %s, in %s", (_, path, hostile) => {
    for (const text of posted(hostile, path)) {
      expect(withoutCode(text)).not.toMatch(/@octocat|fixes #5/i);
      expect(text.replace(OWN_MARKS, "")).not.toMatch(/<!--\s*magis:/);
    }
  });

  it.each(paths)("breaks no table, in %s", (path) => {
    for (const text of posted(LINES, path)) {
      for (const table of text.match(/(?:^\| .*\n)+/gm) ?? []) {
        const cells = table
          .trim()
          .split("\n")
          .map((line) => line.split(/(?<!\\)\|/).length);
        if (/^\| (?:task|file|test) /.test(table)) expect(new Set(cells).size).toBe(1);
      }
    }
  });
});

describe("plain, codeSpan, codeBlock", () => {
  const text = fc
    .array(
      fc.oneof(fc.constantFrom("`", "``", "```", "~~~", "\n", "|", "\\", "@octocat", " "), fc.string({ maxLength: 4 })),
    )
    .map((parts) => parts.join(""));

  it("plain gives one line without a bare pipe, and pings nobody", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(plain(value)).not.toMatch(/[\n\r]|(?<!\\)\|/);
        expect(withoutCode(plain(value))).not.toMatch(/(?<!\w)@octocat/);
        expect(withoutCode(`- ${plain(value)}: ${plain("`@octocat`")}`)).not.toMatch(/(?<!\w)@octocat/);
      }),
    );
  });

  it("codeSpan gives one line that its text cannot end", () => {
    fc.assert(
      fc.property(text, (value) => {
        const span = codeSpan(value);
        const fence = /^`+/.exec(span)?.[0] ?? "";
        const inner = span.slice(fence.length, -fence.length);
        expect(span).not.toMatch(/[\n\r]/);
        expect(span.endsWith(fence)).toBe(true);
        expect([...inner.matchAll(/`+/g)].map(([run]) => run)).not.toContain(fence);
      }),
    );
  });

  it("codeBlock keeps its text unchanged, and the text cannot end it", () => {
    fc.assert(
      fc.property(text, (value) => {
        const [opening = "", ...rest] = codeBlock(value, "js").split("\n");
        const fence = opening.replace("js", "");
        expect(rest.pop()).toBe(fence);
        expect(rest.join("\n")).toBe(value.replace(/\n$/, ""));
        expect(rest.some((line) => line.trim().startsWith(fence))).toBe(false);
      }),
    );
  });

  it("prose closes an open fence, so that it swallows no later text", () => {
    expect(prose("Like this:\n```js\na();")).toBe("Like this:\n\n```js\na();\n```");
    expect(prose("~~~\n```\n~~~\n```a`")).toBe("````\n```\n````\n&#96;&#96;&#96;a&#96;");
    const [one, two] = ["```\na", "```\n@octocat\n```"].map((text) => prose(text));
    expect(withoutCode(`${one}\n\n${two}`)).not.toContain("@octocat");
  });
});

it("a repair's mark keeps any title", () => {
  for (const title of ["fix: a -- b --> c", "ü \ud800 <!--", "%%%", ""]) {
    const mark = repairMark("b".repeat(40), title);
    expect(mark.match(/--/g)).toHaveLength(2);
    expect(readRepairs([`text\n${mark}\n`])).toEqual([{ commit: "b".repeat(40), title: title.replace("\ud800", "") }]);
  }
});
