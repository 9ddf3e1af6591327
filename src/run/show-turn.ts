import type { RunRequest } from "../data/run-request.ts";
import { initialState, type Queued, type RunState } from "../data/run-state.ts";
import { trackingComment } from "../report/tracking-comment.ts";
import { budgetOf } from "./budget.ts";
import type { RunDependencies } from "./open-run.ts";
import { showComment } from "./tracker.ts";

/**
 * Shows in the run's comment what the run waits for. Only for a run that does not begin, and has no other writer, until
 * this returns. Doing it again makes no second comment. Throws what the host throws.
 */
export async function showTurn(
  request: RunRequest,
  queued: Queued,
  { store, openCodeHost, budget }: RunDependencies,
): Promise<void> {
  const { root } = request;
  const { before, saveState } = await store.openWriter(root);
  const state = { ...(before ?? initialState()), queued };
  const textOf = (shown: RunState) => trackingComment(request, shown, budgetOf(request, budget));
  // After a restart everything is reported again.
  if (before?.comment && textOf(before) === textOf(state)) return;
  const host = await openCodeHost(request.repository);
  await saveState(state);
  const known = before?.result ? before.comment && { ...before.comment, again: false } : before?.comment;
  const comment = await showComment(host, request, textOf(state), known);
  if (comment) await saveState({ ...state, comment });
}
