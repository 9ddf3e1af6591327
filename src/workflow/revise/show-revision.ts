import { markReady } from "../publish/mark-ready.ts";
import { showCheck } from "../publish/show-check.ts";
import type { Work } from "../run/coding.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";
import type { Batch } from "./read-feedback.ts";

interface Shown {
  readonly batch: Batch;
  readonly work: Work;
  readonly commit: string | undefined;
}

/**
 * Shows the app's check run on the commit of a revision. Without a commit no check will end that could take a draft out
 * of draft, whose QA threads may be resolved now: that is looked at here.
 */
export async function showRevision(
  { batch, work, commit }: Shown,
  { host, settings, tracker, log }: Pick<PhaseTools, "host" | "settings" | "tracker" | "log">,
): Promise<void> {
  const { number, url } = batch.pull;
  if (commit === undefined) {
    const pull = await host.readPullRequest(number);
    if (pull.draft) await markReady({ host, settings, pull, checks: await host.checksOf(pull.head), log });
    return;
  }
  const { outcomes } = work;
  const open = outcomes.flatMap(({ comments }) => comments).filter(({ status }) => status === "open").length;
  const report = { what: `Answers the review of #${number}`, phases: [], outcomes, spend: tracker.state().spend };
  await showCheck(host, commit, { ...report, end: { openComments: open }, pullRequest: { number, url } }, log);
}
