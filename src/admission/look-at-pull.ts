import { judgeChecks } from "../model/checks.ts";
import { isMagisError } from "../model/error.ts";
import { issueOfPull } from "../model/marks.ts";
import type { PullLook, WatchedPull } from "../ports/runs.ts";
import type { AdmissionDependencies } from "./dependencies.ts";

/**
 * Makes what looks at a pull request of the bot's as a webhook would have told of it: when all checks of its head have
 * ended, that they have. Changes nothing on the host. Throws what the host throws, but for a pull request that is not there.
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
      const verdict = judgeChecks(await host.checksOf(head));
      if (verdict !== "failed" && !(verdict === "green" && pull.draft)) return { open: true, head };
      const delivery = {
        id: `look-${number}-${head}-${verdict}`,
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
