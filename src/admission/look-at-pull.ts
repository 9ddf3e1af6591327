import { callOf } from "../model/checks.ts";
import { isMagisError } from "../model/error.ts";
import { issueOfPull } from "../model/marks.ts";
import type { PullLook, WatchedPull } from "../ports/runs.ts";
import type { AdmissionDependencies } from "./dependencies.ts";

/**
 * Makes what looks at a pull request of the bot's as a webhook would have told of it: when all checks of its head have
 * ended, or may not start, that they have. Changes nothing on the host. Throws what the host throws, but for a pull request that is not there.
 */
export function createPullLook({
  openCodeHost,
}: Pick<AdmissionDependencies, "openCodeHost">): (pull: WatchedPull) => Promise<PullLook> {
  return async ({ repository, number }) => {
    try {
      const host = await openCodeHost(repository);
      const pull = await host.readPullRequest(number);
      if (!pull.open || !pull.byApp) return { open: false };
      const { head, branch } = pull;
      const checks = await host.checksOf(head);
      const call = callOf(checks, pull);
      if (call === undefined) return { open: true, head };
      const delivery = {
        // One check more may make that true which was not yet at an earlier look.
        id: `look-${number}-${head}-${call}-${checks.length}`,
        repository,
        issue: issueOfPull(pull) ?? number,
        actor: host.login,
        actorIsBot: true,
        trigger: { kind: "checks", head, branch },
        at: new Date().toISOString(),
      } as const;
      return { open: true, head, delivery };
    } catch (error) {
      if (isMagisError(error, "HOST_NOT_FOUND")) return { open: false };
      throw error;
    }
  };
}
