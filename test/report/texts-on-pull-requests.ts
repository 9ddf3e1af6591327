import { markers } from "../../src/data/marks.ts";
import type { RunWork } from "../../src/data/run-request.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import { REASON_WORDS } from "../../src/data/verdict.ts";
import { commentAnswers, threadAnswer } from "../../src/follow-up/revise/answers.ts";
import { commitMessage } from "../../src/publish/commit-message.ts";
import { checkComment } from "../../src/report/check-comment.ts";
import { checkReport } from "../../src/report/check-report.ts";
import { followUpBlock, followUpNote, roundsNote, staleQuestion, stepBackNote } from "../../src/report/follow-up.ts";
import { limitSentence } from "../../src/report/limits.ts";
import { type ProofState, proofBlock, testedSentence, untested } from "../../src/report/proof.ts";
import { pullRequestBody } from "../../src/report/pull-request-body.ts";
import { reviewText } from "../../src/report/review-text.ts";
import { leftConflictsNote, updatedNote } from "../../src/report/update.ts";
import {
  AT_BUDGET,
  COMMENT,
  FIX,
  HEAD,
  JOB,
  OUTCOME,
  PROVED,
  PULL,
  PULL_REQUEST,
  REQUEST,
  SPEND,
  type Texts,
  WORKING,
} from "./text-samples.ts";

const NO_TEST = { unproved: untested.noChecks, keep: false };

export const onPullRequest: Texts = {
  "Tested by the repository's checks": pullRequestBody({
    ...PULL_REQUEST,
    stale: [
      "`dist/index.js` changed in 9 of the last 10 changes of `src/invoice.js`: regenerate it with `npm run build`.",
    ],
  }),
  "One file, not tested": pullRequestBody({
    ...PULL_REQUEST,
    outcomes: [OUTCOME],
    proof: proofBlock(NO_TEST),
    plan: { ...PULL_REQUEST.plan, tasks: PULL_REQUEST.plan.tasks.slice(0, 1), order: { run: "t1" }, notes: [] },
  }),
  "With a task that failed, not reviewed, unsigned, not heard by the bot": pullRequestBody({
    ...PULL_REQUEST,
    outcomes: [
      { ...OUTCOME, status: "open", attempts: [] },
      {
        ...OUTCOME,
        taskId: "t2",
        path: "test/invoice.test.js",
        status: "failed",
        attempts: [],
        writers: [],
        summary: "The model's answer was too long.",
      },
    ],
    unfollowed: ["a discount of 100 %"],
    commitWay: "pushed, unsigned",
    publishedBy: "person",
    proof: proofBlock(NO_TEST),
  }),
  "With a dashboard, asked for with options, after another run": pullRequestBody({
    ...PULL_REQUEST,
    cost: { ...PULL_REQUEST.cost, inAll: 0.1301 },
    marker: `${PULL_REQUEST.marker}\n${markers.options(["draft:false", "files:src/**"])}`,
    page: "https://magis.example.com/dashboard/runs/ana%2Fshop%237%401",
  }),
};

export const proofs: Texts = {
  "Its test was pushed": proofBlock({ waiting: "red" }),
  "Its test was red": proofBlock({ waiting: "green" }),
  "Red, then green": proofBlock(PROVED),
  "Repaired on the way": proofBlock({
    ...(PROVED as Extract<ProofState, { red: unknown }>),
    note: "The fix was red at first and was repaired since; the test is unchanged.",
  }),
  "A command has passed": proofBlock(NO_TEST, { said: "The check `npm test` passes.", passed: true }),
  "A command gave no result": proofBlock(NO_TEST, {
    said: "The check `npm test` fails without the change too, so it says nothing about it.",
    passed: false,
  }),
  "Not tested": proofBlock(NO_TEST),
  "Not tested, and left as a draft": proofBlock({ ...NO_TEST, keep: true }),
  "Not proved": proofBlock({
    unproved: untested.verdict(
      { kind: "no-verdict", reason: "unreported", checks: [{ name: "test", state: "failed" }] },
      "red",
    ),
    keep: false,
    ran: true,
  }),
  "Its checks fail": proofBlock({
    unproved: untested.verdict({ kind: "right-red", checks: [], tests: [] }, "green"),
    keep: false,
    failing: true,
  }),
  "Taken out of draft, at the end of the body": markers.ready,
};

const reasons = Object.keys(REASON_WORDS) as (keyof typeof REASON_WORDS)[];

const GAVE_NONE = [
  "running",
  "waiting",
  "not-allowed",
  "cancelled",
  "timed-out",
  "skipped",
  "none",
  "missing",
] as const;

const NOT_ENOUGH = [
  "unreported",
  "unreported-base",
  "not-run",
  "counts",
  "elsewhere",
  "other-image",
  "rerun",
  "lost",
] as const;

const NO_VERDICTS = [...GAVE_NONE, ...NOT_ENOUGH];

const LOST = [{ check: "test", before: 12, now: 11, names: ["keeps an empty value"] }];

const LEFT = ["pushed", "closed", "merged"] as const;

/** Every reason why a change was not tested, as far as no check ran; each is the rest of a sentence. */
const NO_CHECK_RAN: readonly string[] = [
  ...Object.values(untested).filter((words) => typeof words === "string"),
  untested.redBase("test"),
  untested.noneRan("main"),
  untested.moved("main"),
  ...LEFT.flatMap((how) => [untested.left(how, "red"), untested.left(how, "green"), untested.withheld(how)]),
  ...GAVE_NONE.map((reason) => untested.verdict({ kind: "no-verdict", reason, checks: [] }, "red")),
];

/** The same where checks ran and do not prove it. */
const CHECKS_RAN: readonly string[] = [
  ...NOT_ENOUGH.map((reason) =>
    untested.verdict(
      {
        kind: "no-verdict",
        reason,
        checks: [{ name: "test", state: "passed" }],
        lost: reason === "lost" ? LOST : undefined,
      },
      "green",
    ),
  ),
  ...reasons
    .filter((reason) => !(NO_VERDICTS as readonly string[]).includes(reason))
    .map((reason) =>
      untested.verdict(
        { kind: "other-red", check: "test", checks: [], tests: [], words: "", reason: reason as "unknown" },
        "red",
      ),
    ),
  untested.verdict({ kind: "not-red", checks: [] }, "red"),
  untested.verdict({ kind: "other-red", check: "test", checks: [], tests: [], words: "", reason: "crash" }, "green"),
];

/** Every reason why a change was not tested or proved, as the comment on the issue says it. */
export const whyUntested: readonly string[] = [
  ...NO_CHECK_RAN.map((unproved) => testedSentence({ unproved, keep: false })),
  ...CHECKS_RAN.map((unproved) => testedSentence({ unproved, keep: false, ran: true })),
];

const settled = { ...COMMENT, status: "settled" } as const;

export const review: Texts = {
  "A review with an open comment": reviewText.body(
    markers.review(REQUEST.root),
    [{ ...OUTCOME, comments: [COMMENT] }],
    [],
  ),
  "A review whose comments are settled, with more than a review may have": reviewText.body(
    markers.review(REQUEST.root),
    [{ ...OUTCOME, comments: [settled] }],
    [settled],
  ),
  "A comment": reviewText.comment(COMMENT, OUTCOME),
  "A comment on a file that is not in the change": reviewText.comment(
    { ...COMMENT, path: "src/tax.js" },
    OUTCOME,
    true,
  ),
  "The Developer's answer": reviewText.reply(
    { ...settled, reply: "It rounds away from zero now." },
    "Invoice Developer",
    "",
  ),
  "The Developer's answer, without words": reviewText.reply(settled, "Invoice Developer", ""),
  "The QA Engineer's own edit": reviewText.reply(
    { ...settled, mended: true },
    "Invoice Developer",
    "Invoicing QA Engineer",
  ),
  "A repair or a revision edits existing tests": reviewText.comment(
    { ...COMMENT, id: "t1-w1", body: "This change edits existing tests (lines 3 to 5).", shown: true },
    OUTCOME,
  ),
};

const answer = { source: "thread-4", developer: "Invoice Developer", reply: "It rounds away from zero now." };

const follows = (work: RunWork, result: RunResult, job?: string) =>
  followUpNote({ ...REQUEST, work, job }, { ...WORKING, result, batch: ["thread-4"] }) ?? "";

const REVISE = { kind: "revise", because: "command" } as const;

const REPAIR = { kind: "repair", head: HEAD } as const;

const failed: RunResult = {
  kind: "failed",
  code: "MODEL_UNAVAILABLE",
  message: "The model provider is overloaded. Try again later.",
};

export const answers: Texts = {
  "In a thread, with a change": threadAnswer({ ...answer, commit: FIX }),
  "In a thread of a QA Engineer, settled": threadAnswer({ ...answer, commit: FIX, settled: true }),
  "In a thread on other lines than the change": threadAnswer({ ...answer, commit: FIX, where: "on other lines" }),
  "In a thread on a file that was changed": threadAnswer({ ...answer, commit: FIX, where: "in its file" }),
  "In a thread, without a change": threadAnswer({ ...answer, developer: "", reply: "The README asks for this." }),
  "To comments": commentAnswers(
    [
      {
        source: "review-1",
        author: "ana",
        body: "Why not floor?",
        reply: "The README asks for the nearest cent.",
        paths: [],
      },
      { source: "comment-2", author: "ben", body: "Please rename it.", reply: "Renamed.", paths: ["src/invoice.js"] },
    ],
    FIX,
  ),
  "The table in the pull request": followUpBlock(
    [
      {
        run: "a",
        what: "Review by ana: 1 thread, 1 comment",
        outcome: `commit ${FIX.slice(0, 7)}, 2 answers`,
        open: 1,
        money: 0.05,
      },
      { run: "b", what: "Failing check: test", outcome: "repair 1; its checks will tell", open: 0, money: 0.04 },
    ],
    0.1801,
  ),
  "The work on a review failed": follows(REVISE, failed),
  "The work on a review failed, in a job": follows(REVISE, failed, JOB),
  "The work on a review ran out of budget": follows(REVISE, {
    ...AT_BUDGET,
    limit: "money",
    patch: "",
    unfinished: [],
  }),
  "The work on a review was cancelled": follows(REVISE, { kind: "cancelled", by: "ana", undone: [] }),
  "The pull request was merged meanwhile": follows(REVISE, {
    kind: "cancelled",
    by: "",
    undone: [],
    because: "merged",
  }),
  "A limit keeps the work on a review from beginning": follows(REVISE, {
    kind: "refused",
    reason: limitSentence({
      kind: "money",
      scope: "person",
      period: "month",
      most: 50,
      spent: 49,
      needed: 5,
      until: "2026-02-01T00:00:00.000Z",
    }),
  }),
  "The repair of the checks gave up": follows(REPAIR, { kind: "gave-up", reason: "The log is gone." }),
  "Nothing is open": follows(REVISE, { kind: "nothing-to-change", reason: "answered" }),
  "A person has taken over": stepBackNote(PULL.number, "ana"),
  "Nobody has answered on a draft for 30 days": staleQuestion(PULL.number, 30),
  "A bot has had all its rounds": roundsNote("linter[bot]", markers.botRounds("linter[bot]")),
};

const failing = { head: FIX, ours: ["test", "types"], unknown: ["types"], theirs: ["lint"], theirsId: "0f" };

const mine = { ...failing, theirs: [], theirsId: "", ours: ["test"], unknown: [] };

export const checks: Texts = {
  Repaired: checkComment.repaired({
    ...mine,
    commit: FIX,
    title: "fix: round up",
    outcomes: [OUTCOME],
    reason: "It rounded down.",
    round: 1,
    rounds: 3,
    spend: SPEND,
  }),
  "Not repaired": checkComment.notRepaired(mine, "The registry did not answer. Please run the check again.", SPEND),
  "Red on the base too": checkComment.redOnBase({ ...failing, ours: [], unknown: [] }),
  "Some red on the base too, some new": checkComment.notRepaired(failing, "The types are right.", SPEND),
  "Probably not its own": checkComment.unsteady(mine, [
    { name: "test", why: `it also fails on ${HEAD}, a recent commit of main` },
    { name: "e2e", why: "it passed when it was run again with nothing changed" },
  ]),
  "No repair left": checkComment.exhausted(mine, [{ commit: FIX, title: "fix: round up" }]),
  "No check has run": checkComment.missing(PULL.number, "none", "red"),
  "Checks wait for approval": checkComment.missing(PULL.number, "waiting", "red"),
  "A check of the base has not run": checkComment.missing(PULL.number, "missing", "red"),
  "A check of the base has not run with the fix": checkComment.missing(PULL.number, "missing", "green"),
  "Checks that may not start": checkComment.missing(PULL.number, "not-allowed", "red"),
  "Checks that may not start, outside a proof": checkComment.notAllowed(FIX, ["test"]),
  "Tests that do not run any more": checkComment.lostTests(FIX, LOST),
};

const HUNK = {
  path: "src/invoice.js",
  line: 12,
  differed: "The branch rounds to whole units; the pull request rounds to cents.",
  kept: "The rounding to cents, with the branch's name of the function.",
  why: "The branch has no roundCents.",
};

const update = { commit: FIX, base: "main", log: [], draft: false, taken: [] };

const conflicting = { digest: "0f", base: "main", branch: "magis/issue-7-round-discounts", files: [] };

export const updates: Texts = {
  "A conflict was resolved": updatedNote({ ...update, log: [HUNK], draft: true }),
  "Conflicts were resolved, and a lock file was taken": updatedNote({
    ...update,
    log: [HUNK, { ...HUNK, line: 40 }],
    taken: [{ path: "package-lock.json", command: "npm install" }],
  }),
  "A generated file was taken": updatedNote({ ...update, taken: [{ path: "src/schema.d.ts" }], draft: true }),
  "Conflicts are left to people": leftConflictsNote({
    ...conflicting,
    files: [
      { path: "src/invoice.js", why: "Somebody has to say which rounding holds." },
      { path: "src/tax.js", why: "deleted or moved on the base, changed on the branch" },
    ],
  }),
  "The base has all of it": leftConflictsNote({
    ...conflicting,
    reason: "Merged with main, nothing would be left of this change: it is there already.",
  }),
  "GitHub refused the merge": leftConflictsNote({
    ...conflicting,
    reason:
      "The merge of main was refused: GitHub could not advance branch magis/issue-7: Merge commits are not allowed.",
  }),
  "Kept a draft, at the end of the body": markers.resolved,
  "It failed": follows({ kind: "update" }, failed),
};

const reported = { what: "For #7", pullRequest: PULL };

const merged = { what: "Merges main into #12", pullRequest: PULL };

const runOf = (report: Parameters<typeof checkReport>[0]) => {
  const { title, summary, conclusion, status } = checkReport(report);
  return `${title} (${conclusion ?? status})\n\n${summary}`;
};

export const checkRun: Texts = {
  "At work": runOf({ what: "For #7" }),
  Reviewed: runOf({ ...reported, end: { outcomes: [OUTCOME], openComments: 0 } }),
  "With an open comment and a failed task": runOf({
    ...reported,
    end: { outcomes: [OUTCOME, { ...OUTCOME, status: "failed" }], openComments: 1 },
  }),
  "Not reviewed": runOf({
    ...reported,
    end: { outcomes: [{ ...OUTCOME, status: "open", attempts: [] }], openComments: 0 },
  }),
  "The base was merged": runOf({ ...merged, end: { resolved: 0, taken: 0 } }),
  "The base was merged, and conflicts were resolved": runOf({ ...merged, end: { resolved: 2, taken: 0 } }),
  "The base was merged, and a generated file was taken": runOf({ ...merged, end: { resolved: 0, taken: 1 } }),
  "Not finished": runOf({ what: "For #7", end: { failed: "GitHub could not be reached to open a pull request." } }),
};

const message = (title: string, scope?: string) =>
  commitMessage(
    {
      type: "fix",
      title,
      problem: "",
      solution: "Discounts are rounded to the nearest cent.",
      template: "",
      scope,
    },
    7,
    "Fixes",
  ).message;

export const commits: Texts = {
  "A commit": message("round discounts to the nearest cent"),
  "A commit with a scope": message("round discounts to the nearest cent", "(invoice)"),
};
