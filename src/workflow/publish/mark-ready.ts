import { judgeChecks } from "../../model/judge-checks.ts";
import { isMagisError } from "../../model/magis-error.ts";
import { markers } from "../../model/markers.ts";
import type { Check } from "../../ports/check-api.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { HostPullRequest } from "../../ports/pull-request-api.ts";
import type { RunSettings } from "../run/run-tools.ts";

/**
 * Takes the bot's own draft out of draft when all checks of its head are green and none of its QA threads is open: once,
 * so that a person who makes it a draft again is obeyed. Only where pull requests begin as drafts. Tells whether it did.
 */
export async function markReady(deps: {
  readonly host: CodeHost;
  readonly settings: Pick<RunSettings, "draft">;
  readonly pull: HostPullRequest;
  /** of the pull request's head */
  readonly checks: readonly Check[];
  readonly log: Log;
}): Promise<boolean> {
  const { host, settings, pull, checks, log } = deps;
  const { number, open, draft, byApp, body } = pull;
  if (!settings.draft || !open || !draft || !byApp || body.includes(markers.ready)) return false;
  if (judgeChecks(checks) !== "green") return false;
  const threads = await host.listThreads(number);
  if (threads.some(({ resolved, comments }) => !resolved && comments[0]?.author === host.login)) return false;
  try {
    await host.markReady(number);
  } catch (error) {
    if (!isMagisError(error, "HOST_REFUSED")) throw error;
    log.warn({ error, pullRequest: number }, "the host did not take the pull request out of draft");
    return false;
  }
  await host.updatePullRequest(number, { body: `${body.trimEnd()}\n\n${markers.ready}\n` });
  return true;
}
