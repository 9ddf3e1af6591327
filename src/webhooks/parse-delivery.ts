import type { z } from "zod";
import { issueOfBranch, issueOfPull, OWN_BRANCHES } from "../data/marks.ts";
import { type Delivery, eventOf, triggerOfComment } from "../data/run-request.ts";
import { boundBodies } from "../text/bounded.ts";
import {
  checkPayload,
  commentPayload,
  describePayloadFault,
  issueGonePayload,
  labelPayload,
  type origin,
  type ParsedDelivery,
  pullGonePayload,
  pushPayload,
  reviewPayload,
  statusPayload,
  type Webhook,
} from "./payload.ts";

/**
 * Parses a webhook into a delivery, or says why it is none. Deliveries are labels set or removed, comments on issues
 * and on bots' pull requests, reviews of the bot's branches, ended checks on them, and pushes to other branches. Cuts
 * the payload's bodies; never throws.
 */
export function parseDelivery(webhook: Webhook): ParsedDelivery {
  boundBodies(webhook.payload);
  switch (webhook.name) {
    case "issues":
      return parseIssueGone(webhook) ?? parseLabel(webhook);
    case "pull_request":
      return parsePullGone(webhook);
    case "issue_comment":
      return parseComment(webhook);
    case "pull_request_review":
    case "pull_request_review_comment":
      return parseReview(webhook);
    case "check_run":
    case "check_suite":
    case "status":
      return parseChecks(webhook);
    case "push":
      return parsePush(webhook);
    default:
      return { ignored: "The event starts nothing." };
  }
}

/** An issue was closed, locked, transferred or deleted: work on it ends. Undefined for other events. */
function parseIssueGone({ id, payload }: Webhook): ParsedDelivery | undefined {
  const { data } = issueGonePayload.safeParse(payload);
  if (!data || (data.issue.pull_request !== undefined && data.issue.pull_request !== null)) return undefined;
  const { action: why, issue } = data;
  const base = deliveryBase(id, data);
  return { delivery: { ...base, issue: issue.number, trigger: { kind: "gone", why }, at: issue.updated_at } };
}

/** The bot's pull request was closed, merged or locked: work on it ends. Or a merge reverts one. */
function parsePullGone({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = pullGonePayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { action, pull_request: pull } = data;
  const isOfBot = pull.user?.type === "Bot" && issueOfBranch(pull.head.ref) !== undefined;
  if (!isOfBot) return parseOthersPull(id, data);
  const isMerged = action === "closed" && pull.merged;
  const why = isMerged ? "merged" : action;
  const mergeCommit = isMerged ? (pull.merge_commit_sha ?? undefined) : undefined;
  const base = deliveryBase(id, data);
  return {
    delivery: { ...base, issue: pull.number, trigger: { kind: "gone", why, mergeCommit }, at: pull.updated_at },
  };
}

/** The line that GitHub's Revert button writes. */
const REVERTS = /^Reverts ([\w.-]+)\/([\w.-]+)#(\d{1,9})\s*$/m;

/**
 * A person's pull request was merged or closed, which is counted. A merged one may revert another of the same
 * repository; the ledger knows whether that is the bot's.
 */
function parseOthersPull(id: string, data: z.output<typeof pullGonePayload>): ParsedDelivery {
  const { action, repository, pull_request: pull } = data;
  if (action !== "closed" || pull.user?.type !== "User") return { ignored: "It is not the bot's pull request." };
  const base = { ...deliveryBase(id, data), at: pull.updated_at };
  const isMerged = pull.merged === true;
  const [, owner = "", name = "", number] = REVERTS.exec(pull.body ?? "") ?? [];
  const isHere =
    owner.toLowerCase() === repository.owner.login.toLowerCase() &&
    name.toLowerCase() === repository.name.toLowerCase();
  if (isMerged && isHere)
    return { delivery: { ...base, issue: Number(number), trigger: { kind: "reverted", by: pull.number } } };
  return { delivery: { ...base, issue: pull.number, trigger: { kind: "decided", isMerged } } };
}

/** A label was set, which may ask for a run, or removed, which may end it. Only on open, unlocked issues. */
function parseLabel({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = labelPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { action, label, issue } = data;
  if (issue.pull_request !== undefined && issue.pull_request !== null)
    return { ignored: "It is a pull request, not an issue." };
  if (action === "labeled" && issue.state !== "open") return { ignored: "The issue is not open." };
  if (action === "labeled" && issue.locked) return { ignored: "The issue is locked." };
  return {
    delivery: {
      ...deliveryBase(id, data),
      issue: issue.number,
      trigger: { kind: action === "labeled" ? "label" : "unlabel", label: label.name },
      text: textOf(issue),
      at: issue.updated_at,
    },
  };
}

/**
 * A comment on an open, unlocked issue or on a bot's pull request, perhaps a command. Bots' comments are ignored, except
 * for those on a pull request of another bot: it may be named as one that is heard.
 */
function parseComment({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = commentPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { issue, comment } = data;
  const onPullRequest = issue.pull_request !== undefined && issue.pull_request !== null;
  const trigger = triggerOfComment(comment.id, comment.body, onPullRequest ? "pull request" : "issue");
  if (onPullRequest && issue.user?.type !== "Bot") return { ignored: "It is a person's pull request." };
  if (issue.state !== "open") return { ignored: "The issue is not open." };
  if (issue.locked) return { ignored: "The issue is locked." };
  const base = deliveryBase(id, data);
  const isOthersWord = onPullRequest && base.actor !== issue.user?.login;
  if (trigger.kind === "comment" && base.actorIsBot && !isOthersWord) return { ignored: "A bot's comment." };
  const subject = onPullRequest ? issueOfPull({ body: issue.body ?? "", branch: "" }) : undefined;
  return {
    delivery: {
      ...base,
      event: eventOf.comment(comment.id),
      issue: issue.number,
      subject,
      trigger,
      text: onPullRequest ? undefined : textOf(issue),
      at: comment.created_at,
    },
  };
}

function textOf({ title, body }: { title?: string; body?: string | null }): Delivery["text"] {
  return title === undefined ? undefined : { title, body: body ?? "" };
}

/** Somebody else's review of the bot's pull request, or a comment in one of its threads. */
function parseReview({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = reviewPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { pull_request: pull, review, comment } = data;
  if (pull.state !== "open") return { ignored: "The pull request is closed." };
  const subject = issueOfBranch(pull.head.ref);
  if (pull.user?.type !== "Bot" || subject === undefined) return { ignored: "It is not the bot's pull request." };
  const base = deliveryBase(id, data);
  if (base.actor === pull.user.login) return { ignored: "The bot's own review." };
  return {
    delivery: {
      ...base,
      event: comment ? eventOf.reviewComment(comment.id) : review && eventOf.review(review.id),
      issue: pull.number,
      subject,
      trigger: { kind: "review" },
      at: pull.updated_at,
    },
  };
}

/** A check run, check suite or commit status has ended on a commit of one of the bot's branches. */
function parseChecks({ id, name, payload }: Webhook): ParsedDelivery {
  const shape = name === "status" ? statusPayload : checkPayload;
  const { data, error } = shape.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const ended = "sha" in data ? fromStatus(data) : fromCheck(data);
  const issue = issueOfBranch(ended?.branch ?? "");
  if (!ended || issue === undefined) return { ignored: "No check of the bot's branches has ended." };
  if (ended.more) return { ignored: "More checks of the same suite have not ended." };
  const trigger = { kind: "checks", head: ended.head, branch: ended.branch } as const;
  return { delivery: { ...deliveryBase(id, data), issue, trigger, at: ended.at } };
}

const BRANCHES = "refs/heads/";

/** A branch has new commits: it may be the base of the bot's pull requests, or one of them was reverted. */
function parsePush({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = pushPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { ref, after: tip, deleted, repository, commits } = data;
  const branch = ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : "";
  if (branch === "" || deleted || branch.startsWith(OWN_BRANCHES))
    return { ignored: "It is no push to the base of a pull request." };
  const { pushed_at: pushed } = repository;
  const at = typeof pushed === "number" ? new Date(pushed * 1000).toISOString() : pushed;
  const reverts = branch === repository.default_branch ? revertedBy(commits) : undefined;
  return { delivery: { ...deliveryBase(id, data), issue: 0, trigger: { kind: "push", branch, tip, reverts }, at } };
}

/** The line that `git revert` writes. */
const REVERTS_COMMIT = /^This reverts commit ([0-9a-f]{40})\b/gm;

/** The commits that a push reverts, without those that it reverts only for a while. Undefined: none. */
function revertedBy(commits: z.output<typeof pushPayload>["commits"]): readonly string[] | undefined {
  const reverted = new Set<string>();
  for (const { id, message } of commits.toReversed()) {
    if (reverted.has(id)) continue;
    for (const [, commit = ""] of message.matchAll(REVERTS_COMMIT)) reverted.add(commit);
  }
  return reverted.size === 0 ? undefined : [...reverted];
}

interface Ended {
  head: string;
  branch: string;
  at: string;
  /** others of its suite go on, whose end GitHub reports as well */
  more?: boolean;
}

type Status = ReturnType<typeof statusPayload.parse>;

type Check = ReturnType<typeof checkPayload.parse>;

function fromStatus({ sha, state, updated_at: at, branches }: Status): Ended | undefined {
  const branch = branches.find((one) => issueOfBranch(one.name) !== undefined)?.name;
  return branch === undefined || state === "pending" ? undefined : { head: sha, branch, at };
}

const UNENDED: ReadonlySet<string> = new Set(["queued", "in_progress", "pending", "requested"]);

function fromCheck({ check_run: run, check_suite: suite }: Check): Ended | undefined {
  const head = run?.head_sha ?? suite?.head_sha;
  const branch = run?.check_suite?.head_branch ?? suite?.head_branch;
  const at = run?.completed_at ?? suite?.updated_at ?? new Date(0).toISOString();
  // A matrix of 80 jobs would otherwise have us look at all of them 80 times.
  const more = UNENDED.has(run?.check_suite?.status ?? "");
  return head === undefined || !branch ? undefined : { head, branch, at, more };
}

/** The fields that every delivery takes from its payload. */
function deliveryBase(
  id: string,
  { installation, repository, sender }: z.output<typeof origin>,
): Pick<Delivery, "id" | "repository" | "actor" | "actorIsBot"> {
  const { id: number, name, owner } = repository;
  return {
    id,
    repository: { owner: owner.login, name, installationId: installation.id, id: number },
    actor: sender.login,
    actorIsBot: sender.type === "Bot" || sender.login.endsWith("[bot]"),
  };
}
