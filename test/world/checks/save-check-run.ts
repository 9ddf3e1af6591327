import { announce } from "../hooks/announce.ts";
import type { CheckRun, RepositoryState, WorldState } from "../state.ts";
import { endSuite } from "./end-suite.ts";
import { renderCheckRun } from "./render-check-run.ts";
import { renderSuite } from "./render-suite.ts";
import { senderAt } from "./sender-at.ts";

/**
 * Stores a check run and announces it: `created` when it is new, `completed` when it ends, and then
 * `check_suite.completed` when its suite has ended. The sender is the commit's author: the bot for its own commits.
 */
export async function saveCheckRun(state: WorldState, repo: RepositoryState, run: CheckRun): Promise<void> {
  const at = repo.checks.findIndex(({ id }) => id === run.id);
  const before = repo.checks[at];
  if (before === undefined) repo.checks.push(run);
  else repo.checks[at] = run;
  const ended = run.status === "completed" && before?.status !== "completed";
  const sender = await senderAt(state, repo, run.sha);
  const check_run = {
    ...(await renderCheckRun(state, repo, run)),
    check_suite: await renderSuite(state, repo, run.suite),
  };
  const tell = (action: string) => announce(state, repo, sender, "check_run", { action, check_run });
  if (before === undefined) await tell("created");
  if (ended) await tell("completed");
  if (ended && !run.suite.held) await endSuite(state, repo, run.suite);
}
