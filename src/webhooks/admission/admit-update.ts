import { isMagisError } from "../../data/error.ts";
import { issueOfPull, OWN_BRANCHES } from "../../data/marks.ts";
import { type AdmissionDecision, beginOnPull, type Delivery } from "../../data/run-request.ts";
import type { Settings } from "../../data/settings.ts";
import type { CodeHost, HostPullRequest } from "../../github/code-host.ts";

/** A push concerns each open pull request of the bot into that branch. One request. */
export async function admitPush(
  { repository, actor, actorIsBot, trigger, at }: Delivery,
  host: CodeHost,
): Promise<AdmissionDecision | undefined> {
  if (trigger.kind !== "push") return undefined;
  const { branch, tip } = trigger;
  const pulls = await host.findOwnPullRequests(OWN_BRANCHES, "open", branch);
  if (pulls.length === 0) return undefined;
  return {
    deliver: pulls.map((pull) => ({
      id: `base-${pull.number}-${pull.head}-${tip}`,
      repository,
      issue: pull.number,
      subject: issueOfPull(pull),
      actor,
      actorIsBot,
      trigger: { kind: "base", tip },
      at,
    })),
  };
}

/**
 * The base of the bot's pull request has moved on: starts an update where the settings ask for one. It does not matter
 * who pushed, only how the two branches stand; the run finds out what needs doing.
 */
export async function admitUpdate(
  delivery: Delivery,
  host: CodeHost,
  update: Settings["update"],
): Promise<AdmissionDecision | undefined> {
  if (update === "never") return undefined;
  const pull = await findOpen(delivery.issue, host);
  if (!pull) return undefined;
  const state = update === "always" ? "behind" : await host.mergeability(delivery.issue);
  if (state !== "conflicting" && state !== "behind") return undefined;
  return { start: beginOnPull(delivery, { kind: "update" }, pull) };
}

async function findOpen(number: number, host: CodeHost): Promise<HostPullRequest | undefined> {
  try {
    const pull = await host.readPullRequest(number);
    return pull.open && pull.byApp && !pull.locked ? pull : undefined;
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return undefined;
    throw error;
  }
}
