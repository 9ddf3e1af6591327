import { VERBS } from "../../src/data/command.ts";
import { markers } from "../../src/data/marks.ts";
import type { JudgedFile, RunRecord } from "../../src/data/run-record.ts";
import type { RunResult, RunState } from "../../src/data/run-state.ts";
import { statusOf } from "../../src/data/run-status.ts";
import {
  commandAnswer,
  issueNote,
  NOTHING_TO_DO,
  openPullNote,
  optionNote,
  type Status,
  statusText,
} from "../../src/report/commands.ts";
import { landedNote, staleClosedNote } from "../../src/report/follow-up.ts";
import { KEEPS_COST } from "../../src/report/issue-spending.ts";
import { limitNote, limitSentence } from "../../src/report/limits.ts";
import { NOTES, notesText } from "../../src/report/notes.ts";
import { testedSentence, untested } from "../../src/report/proof.ts";
import { explanationText } from "../../src/report/run/explanation.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { faultReport } from "../../src/webhooks/admission/settings.ts";
import {
  AT_BUDGET,
  COMMENT,
  FIX,
  JOB,
  OUTCOME,
  PLAN,
  PROVED,
  PULL,
  PULL_REQUEST,
  REACHED,
  REQUEST,
  type Texts,
  WORKING,
} from "./text-samples.ts";

const BUDGET = { money: 5, tokens: 3_000_000, minutes: 30 };

const shown = (changes: Partial<RunState>, job?: string) =>
  trackingComment({ ...REQUEST, job }, { ...WORKING, ...changes }, BUDGET);

const PATCH = "--- a/src/invoice.js\n+++ b/src/invoice.js\n@@ -1 +1 @@\n-old\n+new\n";

/** Every way in which a run ends; the compiler asks for each kind. */
const ENDS: { readonly [Kind in RunResult["kind"]]: Readonly<Record<string, Extract<RunResult, { kind: Kind }>>> } = {
  published: {
    "Published, tested": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 0,
      proof: { proved: true, said: testedSentence(PROVED) },
    },
    "Published, not tested, with a comment open": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 1,
      proof: { proved: false, said: testedSentence({ unproved: untested.noChecks, keep: false }) },
    },
    "Published, and its checks failed": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 0,
      proof: {
        proved: false,
        said: testedSentence({
          unproved: untested.verdict({ kind: "right-red", checks: [], tests: [] }, "green"),
          keep: false,
          failing: true,
        }),
        failed: FIX,
      },
    },
    "Only its test published: a person committed before the fix was pushed": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 0,
      proof: { proved: false, said: testedSentence({ unproved: untested.left("pushed", "red"), keep: true }) },
      withheld: PATCH,
      left: "pushed",
    },
    "Only its test published, and the patch is long": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 0,
      proof: { proved: false, said: testedSentence({ unproved: untested.left("closed", "red"), keep: true }) },
      withheld: "+".repeat(50_000),
      left: "closed",
    },
    "Published, and the pull request closed before its checks had ended": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 0,
      proof: { proved: false, said: testedSentence({ unproved: untested.left("closed", "green"), keep: true }) },
      left: "closed",
    },
    "Published after a command has checked it": {
      kind: "published",
      pullRequest: PULL,
      openThreads: 0,
      checked: "The check `npm test` passes.",
    },
  },
  "nothing-to-change": {
    "Nothing to change": { kind: "nothing-to-change", reason: "`src/invoice.js` rounds to the nearest cent already." },
  },
  "gave-up": {
    "Gave up": { kind: "gave-up", reason: "`src/invoice.js`: the new lines were the same as the old ones." },
  },
  asked: {
    "Asked a question": {
      kind: "asked",
      questions: ["Should a half cent be rounded up, or to the even cent?"],
      reason: "The README says both.",
    },
  },
  "budget-reached": {
    "Out of money, with a part finished": {
      ...AT_BUDGET,
      limit: "money",
      patch: PATCH,
      unfinished: ["Test a discount."],
    },
    "Out of tokens, with a part that is too long to show": {
      ...AT_BUDGET,
      limit: "tokens",
      patch: "+\n".repeat(30_000),
      unfinished: [],
    },
    "Out of time, with nothing finished": { ...AT_BUDGET, limit: "minutes", patch: "", finished: [], unfinished: [] },
  },
  "awaiting-approval": {
    "A plan waits for approval": { kind: "awaiting-approval", plan: PLAN },
    "A plan was made again": {
      kind: "awaiting-approval",
      plan: PLAN,
      renewed: "Since the plan was made, commits on the branch have touched `src/invoice.js`. The plan was made again.",
    },
  },
  "dry-run": {
    "A dry run": { kind: "dry-run", made: "patch", openComments: 0 },
    "A dry run whose check failed": { kind: "dry-run", made: "patch", openComments: 1, check: "red" },
    "A dry run of the plan": { kind: "dry-run", made: "plan", openComments: 0 },
  },
  cancelled: {
    Cancelled: { kind: "cancelled", by: "ana", undone: [] },
    "Cancelled while it was publishing": {
      kind: "cancelled",
      by: "ana",
      undone: ["pull request #12 (closed)", "the branch `magis/issue-7`"],
    },
    "The issue was closed": { kind: "cancelled", by: "ben", undone: [], because: "closed" },
    "The issue was locked": { kind: "cancelled", by: "ben", undone: [], because: "locked" },
    "The issue was transferred": { kind: "cancelled", by: "ben", undone: [], because: "transferred" },
    "The issue was deleted": { kind: "cancelled", by: "ben", undone: [], because: "deleted" },
    "The app was removed, and added again": { kind: "cancelled", by: "", undone: [], because: "shut-out" },
  },
  refused: {
    Refused: { kind: "refused", reason: "The issue was closed before the work began." },
    "Refused, because the bot's money for the day is used up": { kind: "refused", reason: limitSentence(REACHED) },
    "Refused, because the repository's money for the month is used up": {
      kind: "refused",
      reason: limitSentence({ ...REACHED, scope: "repository", period: "month", until: "2026-02-01T00:00:00.000Z" }),
    },
    "Refused, because a run may cost more than the repository's month": {
      kind: "refused",
      reason: limitSentence({ ...REACHED, scope: "repository", period: "month", most: 3, spent: 0 }),
    },
    "Refused, because too many pull requests are open": {
      kind: "refused",
      reason: limitSentence({ kind: "open-pulls", open: 5, most: 5 }),
    },
  },
  failed: {
    Failed: { kind: "failed", code: "MODEL_REJECTED", message: "The model provider refused the API key." },
    "Failed, for a reason that nobody foresaw": {
      kind: "failed",
      code: "UNEXPECTED",
      message: "Something unexpected happened.",
    },
  },
};

function endOf(result: RunResult, job?: string): string {
  const isDone = result.kind === "published" || result.kind === "nothing-to-change" || result.kind === "dry-run";
  const status = (open: number) => (open > 0 ? "open" : "approved");
  const open = "openThreads" in result ? result.openThreads : 0;
  const tasks = WORKING.tasks.map((task, at) => ({ ...task, status: at === 0 ? status(open) : "approved" }) as const);
  const phases = WORKING.phases.map(
    (phase) => ({ ...phase, status: phase.status === "working" ? "stopped" : phase.status }) as const,
  );
  const pullRequest = "pullRequest" in result ? result.pullRequest : WORKING.pullRequest;
  return shown({ result, phases, tasks: isDone ? tasks : WORKING.tasks, pullRequest }, job);
}

const allEnds = Object.values(ENDS).flatMap((group) => Object.entries<RunResult>(group));

const HELD = { by: "budget", since: REQUEST.requestedAt, until: "2026-12-01T00:00:00.000Z" } as const;

export const onIssue: Texts = {
  "Waiting for its turn": shown({ queued: { ahead: 2 } }),
  "Waiting for a place": shown({ queued: { ahead: 0 } }),
  "Held back by a limit of money": shown({ queued: { ahead: 0, held: HELD } }),
  "Held back by the limit of open pull requests": shown({
    queued: { ahead: 0, held: { by: "pulls", since: REQUEST.requestedAt } },
  }),
  "At work": shown({}),
  "At work, with a dashboard": trackingComment(
    { ...REQUEST, page: "https://magis.example.com/dashboard/runs/ana%2Fshop%237%401" },
    WORKING,
    BUDGET,
  ),
  "At work in a job of GitHub Actions": shown({}, JOB),
  "Waiting for checks": shown({
    phases: WORKING.phases.map((phase) => ({ ...phase, status: "done" }) as const),
    checks: { since: "2026-01-02T10:20:30.000Z" },
  }),
  ...Object.fromEntries(
    (["host", "writes", "model", "database"] as const).map((what) => [
      `Waiting for the ${what}`,
      shown({ waiting: { for: what, since: "2026-01-02T10:20:30.000Z", waited: 0 } }),
    ]),
  ),
  ...Object.fromEntries(allEnds.map(([name, result]) => [name, endOf(result)])),
  ...Object.fromEntries(
    (["asked", "budget-reached", "cancelled", "failed"] as const)
      .flatMap((kind) => Object.entries<RunResult>(ENDS[kind]).slice(0, 1))
      .map(([name, result]) => [`${name}, in a job`, endOf(result, JOB)]),
  ),
  "Ended after an interruption, with money added": trackingComment(
    { ...REQUEST, grants: [{ by: "ben", money: 2 }] },
    { ...WORKING, resumed: 1, result: { kind: "nothing-to-change", reason: "It rounds already." } },
    BUDGET,
  ),
  "A draft was closed that nobody answered for": staleClosedNote(PULL.number),
  "Its pull request was merged into another branch than the default one": landedNote({
    number: PULL.number,
    base: "release/4.2",
  }),
  "A comment that keeps what a job has cost": `${markers.run(REQUEST.root)}\n\n${KEEPS_COST}`,
};

const EXPLAINED_END: RunResult = { kind: "published", pullRequest: PULL, openThreads: 1 };

/** What is kept of the run of the pull request's sample. */
const EXPLAINED: RunRecord = {
  candidates: {
    judged: [
      candidate("src/invoice.js", "`discountAmount` rounds here.", {}),
      candidate("README.md", "It promises the nearest cent.", { use: "read" }),
      candidate("src/tax.js", "Taxes are not what the issue is about.", { relevant: false }),
    ],
  },
  plan: { ...PULL_REQUEST.plan, agreed: "", reason: PULL_REQUEST.description.problem, refused: 0 },
  work: {
    outcomes: [
      {
        ...OUTCOME,
        comments: [{ ...COMMENT, status: "settled", reply: "Negative amounts are rounded by their size." }],
      },
      {
        ...OUTCOME,
        taskId: "t2",
        path: "test/invoice.test.js",
        status: "open",
        summary: "A discount that does not divide evenly has a test.",
        attempts: [
          { round: 1, diff: "", rejected: "Line 4: unexpected token.", approved: false, verdict: "" },
          { round: 1, diff: "", approved: false, verdict: "Credit notes have no test." },
        ],
        comments: [{ ...COMMENT, id: "t2-r1-1", path: "test/invoice.test.js", body: "Please test a credit note too." }],
      },
    ],
    changes: [],
    patch: "",
  },
  others: {},
};

function candidate(path: string, reason: string, changes: Partial<JudgedFile>): JudgedFile {
  return {
    path,
    blob: "",
    score: 1,
    reasons: [],
    summary: "",
    source: "written (P2)",
    relevant: true,
    reason,
    ...changes,
  };
}

const status: Status = {
  standing: statusOf(WORKING, REQUEST.requestedAt),
  state: WORKING,
  waiting: undefined,
  followUps: 0,
  verbs: ["status", "cancel", "help"],
};

const ordered = (text: string) => `${markers.command(99)}\n\n${text}`;

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

export const commands: Texts = {
  Help: ordered(commandAnswer.help(VERBS)),
  "Help on the pull request": ordered(commandAnswer.help(["resolve", "retry", "status", "help"], "pull request")),
  "A word that is no command": ordered(commandAnswer.unknown("reslove", "resolve", ["resolve", "help"])),
  "Nothing to do": ordered(commandAnswer.nothing(NOTHING_TO_DO.noPlan, ["resolve", "help"])),
  "Nothing to do, in other cases": bullets(Object.values(NOTHING_TO_DO).filter((why) => why !== NOTHING_TO_DO.noPlan)),
  "A part of the money is added": ordered(
    commandAnswer.granted({ wanted: 5, granted: 2, most: 10, before: 8 }, ["help"]),
  ),
  "No money is added": ordered(
    commandAnswer.granted({ wanted: 5, granted: 0, most: 10, before: 10 }, ["resolve", "help"]),
  ),
  "Status, no run yet": ordered(
    statusText({ ...status, standing: undefined, state: undefined, verbs: ["resolve", "help"] }),
  ),
  "Status, in turn": ordered(
    statusText({
      ...status,
      standing: { is: "queued", ahead: 2, since: REQUEST.requestedAt },
      state: undefined,
      waiting: { ahead: 2 },
    }),
  ),
  "Status, held back by a limit": ordered(
    statusText({
      ...status,
      standing: { is: "waiting", for: HELD.by, since: HELD.since, until: HELD.until },
      state: undefined,
      waiting: { ahead: 0, held: HELD },
    }),
  ),
  "Status, at work": ordered(statusText(status)),
  "Status, the sentence about each end": allEnds
    .map(
      ([, result]) =>
        statusText({ ...status, standing: undefined, state: { ...WORKING, tasks: [], result } }).split("\n")[0],
    )
    .filter((line, at, all) => all.indexOf(line) === at)
    .join("\n"),
  "Status, with a pull request at work": ordered(
    statusText({
      ...status,
      followUps: 2,
      pullRequest: PULL.number,
      state: { ...WORKING, tasks: [], result: { kind: "published", pullRequest: PULL, openThreads: 0 } },
    }),
  ),
  "Why, of a run and of the latest on its pull request": ordered(
    explanationText(
      [
        { request: REQUEST, isOpen: false, state: { ...WORKING, tasks: [], result: EXPLAINED_END }, record: EXPLAINED },
        {
          request: { ...REQUEST, work: { kind: "revise", because: "feedback" }, requestedAt: "2026-01-02T09:30:00Z" },
          isOpen: true,
          state: WORKING,
          record: { others: {} },
        },
      ],
      ["status", "explain", "help"],
    ),
  ),
  "Why, with nothing kept": ordered(explanationText([], ["resolve", "help"])),
  "The configuration has faults": `${markers.settings("1")}\n\n${faultReport([{ file: ".github/magis.yml", key: "draft", line: 3, message: "`draft` is `maybe`, which is neither true nor false." }])}`,
  "A pull request is open already": openPullNote(PULL.number),
  "A note is kept": notesText(NOTES.kept(2), [
    { number: 1, text: "Money is rounded half to even.", by: "ana" },
    { number: 2, text: "Tests of the invoice are in `test/invoice`.", by: "ben" },
  ]),
  "The notes are listed": notesText(NOTES.listed(1), [{ number: 2, text: "Round half to even.", by: "ana" }]),
  "No note is kept": NOTES.none,
  "Somebody else works on the issue, or it is not for the bot": issueNote(
    "There is already #7 by `ana` for this issue, and it is still open.",
    markers.lookedFirst("12ab"),
  ),
  "Options that cannot be followed": optionNote(
    ["`bose:main` is not an option.", "`draft:maybe` must be true or false."],
    markers.command(12),
  ),
  "A limit keeps a run from going on": limitNote("acme/shop#7@2", limitSentence({ ...REACHED, scope: "organisation" })),
};
