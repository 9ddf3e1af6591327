import type { AdmissionDecision } from "../model/admission-decision.ts";
import type { Delivery } from "../model/delivery.ts";
import { isMagisError } from "../model/magis-error.ts";
import { repositoryName } from "../model/repository-id.ts";
import type { CodeHost } from "../ports/code-host.ts";
import type { HostPullRequest } from "../ports/pull-request-api.ts";
import { acknowledge } from "./acknowledge.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { refuseBot } from "./refuse-bot.ts";
import { refuseItself } from "./refuse-itself.ts";
import { requirePermission } from "./require-permission.ts";

const GUARDS = [refuseItself, refuseBot, requirePermission] as const;

/**
 * Reviews of the bot's pull request and comments on it: a run of kind `revise` when the pull request is the app's own and
 * open and the person may write. Everybody else gets no answer at all. Done again after a crash, it changes nothing.
 */
export async function admitFeedback(
  delivery: Delivery,
  host: CodeHost,
  deps: Pick<HandlerDependencies, "allowedBots" | "log">,
): Promise<AdmissionDecision | undefined> {
  const { id: guid, issue, repository, trigger, actor, at: requestedAt } = delivery;
  const { allowedBots, log } = deps;
  for (const guard of GUARDS) {
    const refusal = await guard({ delivery, host, allowedBots, readIssue: () => host.readIssue(issue) });
    if (!refusal) continue;
    log.info({ delivery: guid, reason: refusal.reason }, "feedback refused");
    return undefined;
  }
  const pull = await readPullRequest(host, issue);
  if (!pull?.open || !pull.byApp) {
    log.info({ delivery: guid }, "the feedback is not on an open pull request of the app");
    return undefined;
  }
  if (trigger.kind === "comment") await acknowledge(delivery, host, "eyes");
  const id = `${repositoryName(repository)}#${issue}@${guid}`;
  const work = { kind: "revise", asked: false } as const;
  const asked = { repository, issue, trigger, actor, delivery: guid, requestedAt };
  return { start: { id, root: id, work, ...asked, allowance: 0 } };
}

async function readPullRequest(host: CodeHost, number: number): Promise<HostPullRequest | undefined> {
  try {
    return await host.readPullRequest(number);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return undefined;
    throw error;
  }
}
