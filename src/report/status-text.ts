import type { Verb } from "../model/command.ts";
import { formatSpend } from "../model/format-spend.ts";
import type { RunState } from "../model/run-state.ts";
import { plain } from "../text/plain.ts";
import { commandFoot } from "./command-foot.ts";

/** What a status is made of. */
export interface Status {
  /** of the issue's latest run; undefined when there was none, or it has not begun */
  readonly state: RunState | undefined;
  /** it waits for its turn: runs of one repository go one after the other */
  readonly isWaiting: boolean;
  /** runs for feedback or checks on the pull request that work or wait */
  readonly followUps: number;
  readonly pullRequest?: number;
  readonly verbs: readonly Verb[];
  readonly onPullRequest: boolean;
}

/** The answer to `/magis status`: a few lines. */
export function statusText({ state, isWaiting, followUps, pullRequest, verbs }: Status): string {
  const lines = [
    isWaiting ? "A run waits for its turn: runs of one repository go one after the other." : standing(state),
    state && phaseLine(state),
    state && state.tasks.length > 0 && taskLine(state),
    pullRequest !== undefined && `Pull request: #${pullRequest}, open.`,
    followUps > 0 && `At work or in turn on the pull request: ${followUps === 1 ? "one run" : `${followUps} runs`}.`,
    state && `Cost: ${formatSpend(state.spend)}.`,
  ];
  const list = lines.filter((line) => line).map((line) => `- ${line}`);
  return [...list, "", `<sub>${commandFoot(verbs)}</sub>`].join("\n");
}

function standing(state: RunState | undefined): string {
  if (!state) return "There was no run on this issue yet.";
  switch (state.result?.kind) {
    case undefined:
      return "A run is at work.";
    case "published":
      return `The change is in #${state.result.pullRequest.number} and waits for your review.`;
    case "awaiting-approval":
      return "A plan is made and waits for your approval.";
    case "dry-run":
      return "The run was a dry run: nothing was published.";
    case "budget-reached":
      return "The run stopped when its budget was used up; it waits for you to let it go on.";
    case "cancelled":
      return `${plain(state.result.by)} cancelled the run.`;
    case "failed":
      return `The run failed: ${plain(state.result.message)}`;
    case "gave-up":
      return "The run could not resolve the issue; nothing more happens by itself.";
    case "nothing-to-change":
      return "The run found nothing to change.";
    case "refused":
      return "The run did not start.";
  }
}

function phaseLine({ phases }: RunState): string {
  return `Phases: ${phases.map(({ name, status, detail }) => `${name} (${[status, detail && plain(detail)].filter((word) => word).join(": ")})`).join(", ")}.`;
}

function taskLine({ tasks }: RunState): string {
  const done = tasks.filter(({ status }) => status !== "waiting" && status !== "working").length;
  return `Tasks: ${done} of ${tasks.length} done.`;
}
