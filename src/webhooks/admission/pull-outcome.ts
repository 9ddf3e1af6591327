import { issueOfPull, markers } from "../../data/marks.ts";
import type { CodeHost, HostPullRequest, OpenCodeHost } from "../../github/code-host.ts";
import { landedNote } from "../../report/follow-up.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { PullOutcome, WatchedPull } from "../../run/runs.ts";

/**
 * Makes the function that says of a pull request of the bot that was merged or closed when that was, how much people
 * discussed it in threads, and how many lines they changed after `head`, the commit that we pushed last. Tells the issue of a merge that does not
 * close it. Throws what the host throws.
 */
export function createPullOutcome(
  openCodeHost: OpenCodeHost,
): (pull: WatchedPull, head: string | undefined) => Promise<PullOutcome> {
  return async ({ repository, number }, head) => {
    const host = await openCodeHost(repository);
    const pull = await host.readPullRequest(number);
    const threads = await host.listThreads(number);
    const comments = threads.flatMap((thread) => thread.comments).filter(({ byBot }) => !byBot).length;
    const ended = pull.merged ? "merged" : "closed";
    if (pull.merged) await tellIssue(host, pull);
    return {
      state: pull.open ? "open" : ended,
      at: pull.endedAt,
      comments,
      linesAfter: await linesAfter(),
    };

    async function linesAfter(): Promise<PullOutcome["linesAfter"]> {
      if (head === undefined) return { unknown: "the last commit of ours is not known" };
      return pull.head === head ? 0 : host.linesSince(head, pull.head);
    }
  };
}

/** GitHub closes an issue only by a merge into the default branch. */
async function tellIssue(host: CodeHost, pull: HostPullRequest): Promise<void> {
  const number = issueOfPull(pull);
  if (number === undefined || (await host.defaultBranch()).name === pull.base) return;
  const issue = await host.readIssue(number);
  if (!issue.open || issue.locked) return;
  await sayOnce(host, number, markers.landed(pull.number), landedNote(pull));
}
