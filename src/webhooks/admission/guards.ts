import { definitionOf, readCommand, type Who } from "../../data/command.ts";
import { mayWrite } from "../../data/discussion.ts";
import { isHostRefusal, isMagisError } from "../../data/error.ts";
import { isNameOfBot, issueOfPull, markers, OWN_BRANCHES } from "../../data/marks.ts";
import type { Delivery, Trigger } from "../../data/run-request.ts";
import type { CodeHost, HostIssue, HostPullRequest, Reaction } from "../../github/code-host.ts";
import { openPullNote } from "../../report/commands.ts";
import type { Guard, GuardContext, GuardRules, Refusal } from "./dependencies.ts";

/** Neither the app itself nor a bot outside `allowed-bots`. */
const GUARDS_OF: Readonly<Record<Who, readonly Guard[]>> = {
  writers: [refuseItself, refuseBot, requirePermission],
  "author and writers": [refuseItself, refuseBot, requireAuthorOrPermission],
};

/** Who may ask for work. */
export const WHO = GUARDS_OF.writers;

/** Who may answer a question of the bot's. */
export const ANSWERERS = GUARDS_OF["author and writers"];

/** Who may trigger a delivery; for a command, its definition says. */
export function guardsOf(trigger: Trigger): readonly Guard[] {
  const definition = trigger.kind === "other-command" ? definitionOf(trigger.command) : undefined;
  return GUARDS_OF[definition?.who ?? "writers"];
}

/**
 * Asks `guards` in order and returns the first refusal, if any. The issue is read once for all of them.
 * Throws what the host throws.
 */
export async function askGuards(
  guards: readonly Guard[],
  delivery: Delivery,
  host: CodeHost,
  rules: GuardRules,
): Promise<Refusal | undefined> {
  let issue: Promise<HostIssue | undefined> | undefined;
  const readIssue = () => {
    issue ??= readFresh(host, delivery.issue);
    return issue;
  };
  for (const guard of guards) {
    const refusal = await guard({ delivery, host, readIssue, rules });
    if (refusal) return refusal;
  }
  return undefined;
}

/** The issue as it is now; undefined when it is gone. Throws what the host throws. */
export async function readFresh(host: CodeHost, issue: number): Promise<HostIssue | undefined> {
  try {
    return await host.readIssue(issue);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Whether the sender is a bot that the configuration names, with or without the `[bot]` that GitHub appends. */
function isAllowedBot({ delivery, rules: { allowedBots } }: GuardContext): boolean {
  return delivery.actorIsBot && allowedBots.some((name) => isNameOfBot(delivery.actor, name));
}

/** Bots are refused unless the configuration names them: two bots that answer each other would never stop. */
async function refuseBot(context: GuardContext): Promise<Refusal | undefined> {
  if (!context.delivery.actorIsBot || isAllowedBot(context)) return undefined;
  return { reason: "The sender is a bot that MAGIS_ALLOWED_BOTS does not name." };
}

/** The app never answers itself, whatever the configuration says. */
async function refuseItself({ delivery, host }: GuardContext): Promise<Refusal | undefined> {
  return equalNames(delivery.actor, host.login) ? { reason: "The sender is the app itself." } : undefined;
}

/** One open pull request per issue; the answer links to it. */
export async function refuseSecondPullRequest({ delivery, host, rules }: GuardContext): Promise<Refusal | undefined> {
  const pulls = await host.findOwnPullRequests(OWN_BRANCHES, "open");
  const open = pulls.find((pull) => issueOfPull(pull) === delivery.issue && pull.number !== rules.takenOver);
  if (!open) return undefined;
  const marker = markers.openPullRequest(open.number);
  return { reason: `Pull request #${open.number} is open.`, comment: { marker, body: openPullNote(open.number) } };
}

/** The app's open pull request for an issue. */
export async function findOpenPull(host: CodeHost, issue: number): Promise<HostPullRequest | undefined> {
  const pulls = await host.findOwnPullRequests(OWN_BRANCHES, "open");
  return pulls.find((pull) => issueOfPull(pull) === issue);
}

/** The issue as it is now: a redelivered webhook can be days old. */
export async function requireOpenIssue({ readIssue }: GuardContext): Promise<Refusal | undefined> {
  const issue = await readIssue();
  if (!issue) return { reason: "The issue is gone." };
  if (issue.isPullRequest) return { reason: "It is a pull request, not an issue." };
  if (!issue.open) return { reason: "The issue is closed." };
  if (issue.locked) return { reason: "The issue is locked." };
  return undefined;
}

/**
 * Whoever asks must be able to push, even by label: triage permission is enough to set a label, but not for this.
 * A bot that the configuration names is trusted, since GitHub reports no permission for an app's bot.
 */
async function requirePermission(context: GuardContext): Promise<Refusal | undefined> {
  if (isAllowedBot(context)) return undefined;
  const permission = await context.host.permissionOf(context.delivery.actor);
  if (mayWrite(permission)) return undefined;
  return { reason: `The sender's permission is "${permission}", and write is needed.`, confused: true };
}

async function requireAuthorOrPermission(context: GuardContext): Promise<Refusal | undefined> {
  const issue = await context.readIssue();
  return issue && equalNames(issue.author, context.delivery.actor) ? undefined : requirePermission(context);
}

/**
 * The label was taken off, or the command deleted or edited into something else: the request is withdrawn. A label that
 * was taken off before, or at the time when it was set, ends work only when it is off now.
 */
export async function requireTrigger({ delivery, host, readIssue }: GuardContext): Promise<Refusal | undefined> {
  const { trigger, again } = delivery;
  if (trigger.kind === "label" || (trigger.kind === "unlabel" && again)) {
    const labels = (await readIssue())?.labels ?? [];
    const there = labels.some((label) => equalNames(label, trigger.label));
    if (there === (trigger.kind === "label")) return undefined;
    return { reason: there ? "The label is there again." : "The label is no longer there." };
  }
  if (trigger.kind !== "command" && trigger.kind !== "other-command") return undefined;
  const wanted = trigger.kind === "command" ? "resolve" : trigger.command.verb;
  const comments = await host.listComments(delivery.issue);
  const comment = comments.find(({ id }) => id === trigger.commentId);
  if (!comment) return { reason: "The comment is no longer there." };
  return readCommand(comment.body)?.verb === wanted ? undefined : { reason: "The comment is no longer that command." };
}

/** Reacts to the comment that asked, or to the issue. A refused reaction must not keep a run from starting. */
export async function acknowledge({ trigger, issue }: Delivery, host: CodeHost, reaction: Reaction): Promise<void> {
  try {
    await host.react("commentId" in trigger ? { comment: trigger.commentId } : { issue }, reaction);
  } catch (error) {
    if (!isHostRefusal(error, "HOST_UNREACHABLE")) throw error;
  }
}

/** GitHub ignores case in labels and logins. */
export function equalNames(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
