import type { PullOutcome, WatchedPull } from "../ports/runs.ts";
import type { AdmissionDependencies } from "./dependencies.ts";

/**
 * Makes the look at a pull request of the bot that was merged or closed: when, how much people discussed it in threads,
 * and how many lines they changed after `head`, the commit that we pushed last. Two requests, three when they changed
 * something. Throws what the host throws.
 */
export function createPullOutcome({
  openCodeHost,
}: Pick<AdmissionDependencies, "openCodeHost">): (pull: WatchedPull, head: string | undefined) => Promise<PullOutcome> {
  return async ({ repository, number }, head) => {
    const host = await openCodeHost(repository);
    const pull = await host.readPullRequest(number);
    const threads = await host.listThreads(number);
    const comments = threads.flatMap((thread) => thread.comments).filter(({ byBot }) => !byBot).length;
    const ended = pull.merged ? "merged" : "closed";
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
