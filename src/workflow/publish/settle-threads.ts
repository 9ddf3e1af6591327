import { markers } from "../../model/markers.ts";
import type { Plan } from "../../model/task.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { PullRequestApi } from "../../ports/pull-request-api.ts";
import { reviewText } from "../../report/review-text.ts";
import { isThreadOf } from "./is-thread-of.ts";

/** Replies in, then resolves, the threads of comments that a later round put right. Only the bot's own threads. */
export async function settleThreads(deps: {
  readonly host: PullRequestApi & Pick<CodeHost, "login">;
  readonly pullRequest: number;
  readonly plan: Plan;
  readonly outcomes: readonly TaskOutcome[];
}): Promise<void> {
  const { host, pullRequest, plan, outcomes } = deps;
  const settled = outcomes.flatMap(({ comments }) => comments).filter(({ status }) => status === "settled");
  if (settled.length === 0) return;
  const threads = await host.listThreads(pullRequest);
  for (const comment of settled) {
    const thread = threads.find((one) => isThreadOf(comment.id, one, host.login));
    if (!thread) continue;
    const developer = plan.tasks.find(({ id }) => id === comment.taskId)?.developer.title ?? "Developer";
    if (
      !thread.comments.some(({ author, body }) => author === host.login && body.includes(markers.reply(comment.id)))
    ) {
      await host.replyToThread(pullRequest, thread, reviewText.reply(comment, developer));
    }
    if (!thread.resolved) await host.resolveThread(thread);
  }
}
