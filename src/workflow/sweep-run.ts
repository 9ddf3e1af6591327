import { isMagisError, MagisError } from "../data/error.ts";
import { markers } from "../data/marks.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { RunState } from "../data/run-state.ts";
import type { CodeHost } from "../github/code-host.ts";
import { cleanUp } from "../publish/clean-up.ts";
import { budgetOf } from "../run/budget.ts";
import { openRun, type RunDependencies } from "../run/open-run.ts";
import { noteOf } from "../run/tracker.ts";

/**
 * Cleans up once more after a run that has ended without a change, for a write that took effect after that, and has its
 * comment tell of it. What is there once another run of the issue was asked for is that one's.
 */
export async function sweepRun(request: RunRequest, deps: RunDependencies): Promise<void> {
  const { id, root, repository, issue } = request;
  const isLatest = async () => (await deps.store.latestRun(repository, issue))?.request.id === id;
  const run = await openRun(request, deps, "guest");
  const host = whileOwn(run.host, async () => {
    if (!(await isLatest())) throw new MagisError("RUN_CANCELLED", "Another run of the issue was asked for.");
  });
  try {
    await foldSecondComments(request, (await deps.store.state(root))?.comment, run.host);
    const { before, saveState } = await deps.store.openWriter(root, "guest");
    const ended = before?.result;
    // A pull request that holds the whole change stays, whatever people do with it.
    if (!ended || ("stays" in ended && ended.stays) || !(await isLatest())) return;
    const clean = await cleanUp({ ...run, host }, ended);
    const after: RunState = { ...before, result: clean };
    await saveState(after);
    await correctComment(request, after, host, deps);
  } catch (error) {
    if (!isMagisError(error, "RUN_CANCELLED")) throw error;
  } finally {
    run.close();
  }
}

/** A host that asks before each write of a sweep whether the run is still to be swept. */
function whileOwn(host: CodeHost, ask: () => Promise<void>): CodeHost {
  return {
    ...host,
    deleteRef: (ref) => ask().then(() => host.deleteRef(ref)),
    updatePullRequest: (number, change) => ask().then(() => host.updatePullRequest(number, change)),
    reportCheck: (head, report) => ask().then(() => host.reportCheck(head, report)),
    updateComment: (comment, body) => ask().then(() => host.updateComment(comment, body)),
  };
}

/** Folds away a second comment of the run: one that was made while another process reported the end. */
async function foldSecondComments(
  { issue, root }: RunRequest,
  known: RunState["comment"],
  host: CodeHost,
): Promise<void> {
  if (!known) return;
  for (const { id, nodeId } of await ownComments(host, issue, root)) {
    if (id !== known.id) await host.minimiseComment(nodeId);
  }
}

/** Makes the run's comment say how it ended, whatever was written to it last. */
async function correctComment(
  request: RunRequest,
  state: RunState,
  host: CodeHost,
  { budget }: RunDependencies,
): Promise<void> {
  const body = noteOf(request, state, budgetOf(request, budget));
  if (body === undefined) return;
  const own = await ownComments(host, request.issue, request.root);
  const comment = own.find(({ id }) => id === state.comment?.id) ?? own[0];
  if (comment && comment.body !== body) await host.updateComment(comment.id, body);
}

async function ownComments(host: CodeHost, issue: number, root: string) {
  const comments = await host.listComments(issue);
  return comments.filter(({ author, body }) => author === host.login && body.includes(markers.run(root)));
}
