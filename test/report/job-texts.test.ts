import { describe, expect, it } from "@jest/globals";
import { workingCommands } from "../../src/data/command.ts";
import { initialState, type RunResult, type RunState } from "../../src/data/run-state.ts";
import { commandAnswer } from "../../src/report/commands.ts";
import { followUpNote } from "../../src/report/follow-up.ts";
import { pullRequestBody } from "../../src/report/pull-request-body.ts";
import { trackingComment } from "../../src/report/tracking-comment.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const BUDGET = { money: 5, tokens: 2_000_000, minutes: 60 };
const JOB = "https://host.example/acme/shop/actions/runs/7";
const pullRequest = { number: 12, url: "https://host.example/pull/12" };
const atBudget = {
  kind: "budget-reached",
  phase: "code",
  patch: "x".repeat(50_000),
  finished: [],
  unfinished: [],
} as const;

/** Every way a run can end in a job, where no plan waits for approval. */
const ENDS: readonly RunResult[] = [
  { kind: "published", pullRequest, openThreads: 1 },
  { kind: "published", pullRequest, openThreads: 0, checked: "The check `npm test` passes." },
  { kind: "nothing-to-change", reason: "It is right." },
  { kind: "gave-up", reason: "It cannot be done." },
  { kind: "asked", questions: ["Which of both?"], reason: "Two ways." },
  { ...atBudget, limit: "money" },
  { ...atBudget, limit: "tokens" },
  { ...atBudget, limit: "minutes" },
  { kind: "cancelled", by: "alice", undone: [] },
  { kind: "cancelled", by: "", undone: ["the branch"], because: "closed" },
  { kind: "cancelled", by: "", undone: [], because: "transferred" },
  { kind: "refused", reason: "It is too late." },
  { kind: "failed", code: "JOB_ENDED", message: "The job was cancelled." },
  { kind: "dry-run", made: "patch", openComments: 0, check: "red" },
];

const PLAN = { tasks: [], order: { run: "t1" }, source: "", meeting: [], agreed: "", reason: "", refused: 0 } as const;

const stateOf = (result?: RunResult): RunState => ({ ...initialState(), result });

/** A job's texts about one state of its run, on the issue and on the pull request. */
function textsOf(state: RunState): readonly string[] {
  const follows = [
    { kind: "revise", because: "command" },
    { kind: "repair", head: "0".repeat(40) },
  ] as const;
  return [
    trackingComment(sampleRequest({ job: JOB }), state, BUDGET),
    ...follows.map((work) => followUpNote(sampleRequest({ work, job: JOB }), state) ?? ""),
  ];
}

const others = [
  pullRequestBody({
    marker: "<!-- x -->",
    issue: 7,
    plan: PLAN,
    outcomes: [],
    making: { models: ["claude-opus-5-5", "claude-haiku-5-5"], askedBy: "ana" },
    commitWay: "pushed, unsigned",
    proof: "",
    description: { problem: "p", solution: "s", template: "" },
    cost: { spend: initialState().spend, byRole: [], inAll: 0 },
  }),
  ...(["pull request", "issue"] as const).flatMap((on) =>
    [undefined, ...ENDS].map((result) => {
      const verbs = workingCommands(result && stateOf(result), { on, inJob: true });
      return commandAnswer.help(verbs, on);
    }),
  ),
];

/** Words about things that only a server has: earlier runs, a queue, a lasting process. */
const SERVERS_ONLY = new RegExp(
  [
    String.raw`\bretry\b|\bcontinue\b|/magis (?:cancel|status|plan|approve)`,
    "for its turn|goes on from there|is kept|takes? .* up again|work then goes on",
  ].join("|"),
);

describe("the texts of a job", () => {
  it.each([["at work", undefined], ...ENDS.map((end) => [JSON.stringify(end).slice(0, 60), end] as const)] as const)(
    "offer only what a job can do: %s",
    (_, end) => {
      for (const text of textsOf(stateOf(end))) expect(text).not.toMatch(SERVERS_ONLY);
    },
  );

  it("offer only resolve and help, in pull requests and answers to commands too", () => {
    for (const text of others) {
      expect(text).not.toMatch(SERVERS_ONLY);
      for (const [, verb] of text.matchAll(/`\/magis (\w+)/g)) expect(["resolve", "help"]).toContain(verb);
    }
  });

  it("say where to cancel a running job, and where to find the log of a failed one", () => {
    expect(textsOf(stateOf())[0]).toContain(`To stop it, cancel [its job](${JOB}) in the Actions tab.`);
    for (const text of textsOf(stateOf({ kind: "failed", code: "X", message: "It broke." })))
      expect(text).toContain(JOB);
  });

  it("leave a server's texts alone, which offer what a job cannot do", () => {
    const said = [undefined, ...ENDS].map((end) => trackingComment(sampleRequest(), stateOf(end), BUDGET)).join("\n");
    for (const verb of ["plan", "retry", "continue", "status", "explain", "cancel"])
      expect(said).toContain(`/magis ${verb}`);
    expect(said).not.toContain("Actions tab");
  });
});
