import { isOurs, markers } from "../../data/marks.ts";
import type { RunResult } from "../../data/run-state.ts";
import type { HostPullRequest } from "../../github/code-host.ts";
import { reportFollowUp, stepBack } from "../../publish/follow-up.ts";
import { findOrigin } from "../../run/origin.ts";
import type { RunKind } from "../../run/phase-runner.ts";
import type { RunContext } from "../../run/run-context.ts";
import { counted } from "../../text/counted.ts";
import { mergeBaseBranch, type UpdateOutcome, type UpdateSituation } from "./merge-base-branch.ts";

/** What the line in the pull request's body says. Plain data: another process may write it. */
interface About {
  pull: HostPullRequest;
  root?: string | undefined;
  outcome: Extract<UpdateOutcome, { kind: "merged" }>;
}

/**
 * Merges the base of the bot's pull request into its branch. Ends silently when there is nothing to merge or a person
 * has taken the branch over; what it is not sure of is left to people, who are told once.
 */
export function updateBranch(): RunKind {
  let about: About | undefined;
  return {
    async phases(runner) {
      const read = await runner.step("read", (run) => readSituation(run));
      if ("nothing" in read) return { silent: { kind: "nothing-to-change", reason: read.nothing } };
      const { pull, tip, origin } = read;
      const outcome = await runner.phase("code", { commit: tip }, (run) => mergeBaseBranch(read, run), "merge");
      if (outcome.kind === "merged") about = { pull, root: origin.root, outcome };
      return resultOf(outcome, pull);
    },
    async report(_result, run, end) {
      if (end) await reportUpdate(end as About, run);
    },
    about: () => about,
  };
}

/** After so many failures on a pull request its base is left to people. */
const MAX_FAILURES = 3;

async function readSituation(run: RunContext): Promise<UpdateSituation | { nothing: string }> {
  const { host, settings } = run;
  const found = await host.readPullRequest(run.request.issue);
  const { number, open, byApp, branch, base, body } = found;
  if (!open || !byApp) return { nothing: "The pull request is closed." };
  if (settings.update === "never") return { nothing: "Updates are turned off." };
  if (body.includes(markers.proving)) return { nothing: "Its fix is being proved." };
  const [head, tip] = [await host.branchTip(branch), await host.branchTip(base)];
  if (head === undefined || tip === undefined) return { nothing: "A branch is gone." };
  const from = await host.mergeBase(tip, head);
  if (from === undefined) return { nothing: "The branches have nothing in common." };
  if (from === tip) return { nothing: "The branch is up to date." };
  const own = (await host.listComments(number)).filter((one) => isOurs(one, host.login, markers.updateFailed));
  if (own.length >= MAX_FAILURES) return { nothing: "Earlier updates have failed." };
  const pull = { ...found, head };
  if (await stepBack(host, pull, await host.listCommits(number))) return { nothing: "A person has taken it over." };
  return { pull, tip, from, origin: await findOrigin(pull, run) };
}

function resultOf(outcome: UpdateOutcome, { number, url, base }: HostPullRequest): RunResult {
  switch (outcome.kind) {
    case "merged":
      return { kind: "published", pullRequest: { number, url }, openThreads: 0 };
    case "left":
      return { kind: "gave-up", reason: `The conflicts with ${base} are left to people.` };
    case "moved":
      return { kind: "nothing-to-change", reason: "The branch has moved while the work went on." };
  }
}

async function reportUpdate({ pull, root, outcome }: About, run: RunContext): Promise<void> {
  const { commit, resolved, taken } = outcome;
  const places = `${counted(resolved, "conflict")} resolved`;
  const line = {
    what: `Base ${pull.base} merged`,
    outcome: `commit ${commit.slice(0, 7)}${resolved > 0 ? `, ${places}` : ""}`,
  };
  if (resolved + taken > 0) await keepDraft(pull.number, run);
  await reportFollowUp({ root, pullRequest: pull.number, ...line }, run);
}

/** A person has to look at it first: green checks no longer make the draft ready. */
async function keepDraft(number: number, { host }: RunContext): Promise<void> {
  const { body, draft } = await host.readPullRequest(number);
  if (!draft || body.includes(markers.resolved)) return;
  await host.updatePullRequest(number, { body: `${body.trimEnd()}\n\n${markers.resolved}\n` });
}
