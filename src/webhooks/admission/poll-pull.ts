import { callOf } from "../../data/checks.ts";
import { isMagisError } from "../../data/error.ts";
import { issueOfPull, markers } from "../../data/marks.ts";
import { type Delivery, eventOf, type Trigger, triggerOfComment } from "../../data/run-request.ts";
import type { StopReason } from "../../data/run-state.ts";
import type { CodeHost, HostPullRequest, OpenCodeHost } from "../../github/code-host.ts";
import { awaitsGreen } from "../../report/proof.ts";
import type { PullFindings, WatchedPull } from "../../run/runs.ts";

/**
 * Makes the function that polls one of the bot's pull requests, to find what webhooks should have reported: that it was closed,
 * merged or locked, what people said on it since `heard`, that all checks of its head have ended or may not start, and
 * that it conflicts with its base.
 * Changes nothing on the host. Throws what the host throws, except for a pull request that is not there.
 */
export function createPullPoll(openCodeHost: OpenCodeHost): (pull: WatchedPull) => Promise<PullFindings> {
  return async (watched) => {
    try {
      const host = await openCodeHost(watched.repository);
      const pull = await host.readPullRequest(watched.number);
      if (!pull.byApp) return { open: false, deliveries: [] };
      const why = whyGone(pull);
      if (!pull.open) return { open: false, deliveries: why ? [goneDelivery(watched, pull, why)] : [] };
      const said = await saidOn(watched, pull, host);
      const { heard } = watched;
      const fresh = said.filter(({ at }) => heard === undefined || at >= heard);
      const gone = why ? [goneDelivery(watched, pull, why)] : [];
      const deliveries = [
        ...gone,
        ...lastOfEach(fresh),
        ...(await endedChecks(watched, pull, host)),
        ...(await movedBase(watched, pull, host)),
      ];
      const byPeople = said.filter(({ actorIsBot }) => !actorIsBot);
      const quietSince = pull.draft && !pull.locked ? (byPeople.at(-1)?.at ?? pull.createdAt) : undefined;
      return { open: true, head: pull.head, deliveries, heard: said.at(-1)?.at ?? heard, quietSince };
    } catch (error) {
      if (isMagisError(error, "HOST_NOT_FOUND")) return { open: false, deliveries: [] };
      throw error;
    }
  };
}

function whyGone({ open, merged, locked }: HostPullRequest): StopReason | undefined {
  if (merged) return "merged";
  if (!open) return "closed";
  return locked ? "locked" : undefined;
}

/** Nobody can tell who it was. */
function goneDelivery(
  { repository, number }: WatchedPull,
  { head, mergeCommit }: HostPullRequest,
  why: StopReason,
): Delivery {
  return {
    id: `look-${number}-${head}-${why}`,
    repository,
    issue: number,
    actor: "",
    actorIsBot: false,
    trigger: { kind: "gone", why, mergeCommit },
    at: new Date().toISOString(),
  };
}

/**
 * What people said on it, and bots in commands, as the deliveries that webhooks would have made of it; oldest first.
 */
async function saidOn(
  { repository, number }: WatchedPull,
  pull: HostPullRequest,
  host: CodeHost,
): Promise<readonly Delivery[]> {
  const subject = issueOfPull(pull);
  const delivery = (event: string, actor: string, actorIsBot: boolean, trigger: Trigger, at: string): Delivery => ({
    id: `look-${event}`,
    event,
    repository,
    issue: number,
    subject,
    actor,
    actorIsBot,
    trigger,
    at,
  });
  const comments = (await host.listComments(number)).map(({ id, author, byBot, body, createdAt }) =>
    delivery(eventOf.comment(id), author, byBot, triggerOfComment(id, body, "pull request"), createdAt),
  );
  const review = { kind: "review" } as const;
  const reviews = (await host.listReviews(number)).map(({ id, author, byBot, submittedAt }) =>
    delivery(eventOf.review(id), author, byBot, review, submittedAt),
  );
  const inThreads = (await host.listThreads(number))
    .flatMap((thread) => thread.comments)
    .map(({ id, author, byBot, createdAt }) => delivery(eventOf.reviewComment(id), author, byBot, review, createdAt));
  return [...comments, ...reviews, ...inThreads]
    .filter(({ actor }) => actor !== host.login)
    .sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}

const isCommand = ({ kind }: Trigger) => kind === "command" || kind === "other-command";

/** Each command, and of all else the last that each person said: the run that comes of it takes all that is open. */
function lastOfEach(said: readonly Delivery[]): readonly Delivery[] {
  const last = new Map(said.filter(({ trigger }) => !isCommand(trigger)).map((one) => [one.actor, one]));
  return said.filter((one) => isCommand(one.trigger) || last.get(one.actor) === one);
}

/** That all checks of its head have ended, where there may be something to do. */
async function endedChecks(
  { repository, number }: WatchedPull,
  pull: HostPullRequest,
  host: CodeHost,
): Promise<readonly Delivery[]> {
  const { head, branch } = pull;
  const checks = await host.checksOf(head);
  const call = callOf(checks, { awaitsGreen: awaitsGreen(pull) });
  if (call === undefined) return [];
  const ended: Delivery = {
    // One more check may bring about what was not so at an earlier poll.
    id: `look-${number}-${head}-${call}-${checks.length}`,
    repository,
    issue: issueOfPull(pull) ?? number,
    actor: host.login,
    actorIsBot: true,
    trigger: { kind: "checks", head, branch },
    at: new Date().toISOString(),
  };
  return [ended];
}

/** That its base has moved on so that a merge is needed: no webhook says that a conflict began. */
async function movedBase(
  { repository, number }: WatchedPull,
  pull: HostPullRequest,
  host: CodeHost,
): Promise<readonly Delivery[]> {
  // The run would leave it alone, and the same finding is passed on only once.
  if (pull.body.includes(markers.proving)) return [];
  const state = await host.mergeability(number);
  const tip = state === "conflicting" || state === "behind" ? await host.branchTip(pull.base) : undefined;
  if (tip === undefined) return [];
  const moved: Delivery = {
    // Not the push's own id: that delivery may have found the host still computing.
    id: `look-${number}-${pull.head}-base-${tip}`,
    repository,
    issue: number,
    subject: issueOfPull(pull),
    actor: host.login,
    actorIsBot: true,
    trigger: { kind: "base", tip },
    at: new Date().toISOString(),
  };
  return [moved];
}
