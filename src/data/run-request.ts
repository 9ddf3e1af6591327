import { cutBeginning } from "../text/cut.ts";
import { type Command, definitionOf, type Place, readCommand } from "./command.ts";
import { optionsOfPull } from "./marks.ts";
import { lastingOptions, mergeOptions, type RequestOptions } from "./request-options.ts";
import type { StopReason } from "./run-state.ts";
import type { RepositorySettings } from "./settings.ts";

/** A repository as one installation of the app sees it. */
export interface RepositoryId {
  owner: string;
  name: string;
  installationId: number;
  /** GitHub's number, which stays when the repository is renamed or transferred; absent where no webhook said it */
  id?: number | undefined;
}

/** An installation, or one repository of it. */
export type InstallationScope =
  | RepositoryId
  | (Pick<RepositoryId, "installationId"> & { owner?: never; name?: never; id?: never });

/** `owner/name`, for people and for keys within one installation. */
export function repositoryName(repository: Pick<RepositoryId, "owner" | "name">): string {
  return `${repository.owner}/${repository.name}`;
}

/** The event that made the bot act. */
export type Trigger =
  | { kind: "label"; label: string }
  /** `/magis resolve`; `hint` is the text after it and its options */
  | { kind: "command"; commentId: number; hint: string; options?: RequestOptions }
  | { kind: "unlabel"; label: string }
  /** any other command, on an issue or a pull request */
  | {
      kind: "other-command";
      commentId: number;
      command: Command;
      on: Place;
    }
  /** a comment without a command */
  | { kind: "comment"; commentId: number; body: string; on: Place }
  /** an issue or pull request that needs no more work; `mergeCommit`: see `HostPullRequest` */
  | { kind: "gone"; why: StopReason; mergeCommit?: string | undefined }
  /** somebody's pull request `by` that reverts this one was merged */
  | { kind: "reverted"; by: number }
  /** a person's pull request was merged or closed */
  | { kind: "decided"; isMerged: boolean }
  /** a review, or a comment in a review thread */
  | { kind: "review" }
  /** checks of a commit have ended */
  | { kind: "checks"; head: string; branch: string }
  /** a branch has new commits; `reverts`: the commits that those on the default branch revert, if any */
  | {
      kind: "push";
      branch: string;
      tip: string;
      reverts?: readonly string[] | undefined;
    }
  /** the base of the bot's pull request has new commits */
  | { kind: "base"; tip: string };

/** Title and body of an issue at the trigger. */
export interface IssueText {
  title: string;
  body: string;
}

/** The work of a run. */
export type RunWork =
  /** from the issue to a pull request; `gate: "plan"` stops after the plan for a person's approval */
  | { kind: "resolve"; gate: "none" | "plan" }
  /**
   * answer the open feedback on the bot's pull request; because of a `command`: even after a person has committed to
   * its branch
   */
  | { kind: "revise"; because: "feedback" | "command" }
  /** repair the failing checks of the pull request's head */
  | { kind: "repair"; head: string }
  /** merge the base of the bot's pull request into its branch */
  | { kind: "update" };

/** US dollars that somebody has added to a run's budget. */
export interface Grant {
  /** login */
  by: string;
  money: number;
}

/** What makes the bot act, on what, and who did it. */
interface Occasion {
  repository: RepositoryId;
  /** the issue or pull request */
  issue: number;
  trigger: Trigger;
  /** the issue at the trigger; when absent, the run reads the issue from the host */
  text?: IssueText;
  /** login of the person who asked */
  actor: string;
  /** page of the job that handles it and keeps nothing to continue; absent on a server */
  job?: string;
}

/** Everything that a run starts with. Plain data, without tokens: the database keeps it. */
export interface RunRequest extends Occasion {
  /** `owner/name#issue@delivery`: the same delivery never starts two runs */
  id: string;
  work: RunWork;
  /** X-GitHub-Delivery of the webhook */
  delivery: string;
  /** ISO 8601; comments made or edited later are not read */
  requestedAt: string;
  /** the repository's settings when the run was asked for; absent: the operator's values hold */
  settings?: RepositorySettings;
  /** address of the run's page on the dashboard; absent: people on the host cannot see one */
  page?: string;
  /**
   * The run whose calls, record and tracking comment this one continues (`retry`, `continue`, `approve`); its own id
   * for a new run.
   */
  root: string;
  /** what people said about the plan: added to the hint of the run that this one continues */
  hint?: string;
  /** all hints of the runs that this one continues, in case their record is gone */
  earlierHints?: string;
  /** why the run that this one continues gave up, in the agents' words, so never a hint */
  gaveUp?: string;
  /** what people asked for in options, over the repository's settings */
  options?: RequestOptions;
  /** what people have added to the budget with `continue`, oldest first */
  grants: readonly Grant[];
}

/** US dollars that people have added to a run's budget. */
export function grantedTo({ grants }: RunRequest): number {
  return grants.reduce((sum, { money }) => sum + money, 0);
}

/**
 * A webhook that the bot may act on, parsed once. Plain data, kept until it is handled. For checks, `issue` is the one
 * in the branch's name, for a push 0.
 */
export interface Delivery extends Occasion {
  /** X-GitHub-Delivery; a redelivery keeps it */
  id: string;
  /** SHA-256 of the signed body; the id itself is not signed */
  digest?: string;
  /** the event's id on the host: the same whether a webhook reported the event or we found it ourselves */
  event?: string | undefined;
  /**
   * its body came before and something else since, or it came after what contradicts it: see whether it is still so
   * before doing it
   */
  again?: boolean;
  /** the issue of its pull request, if the webhook says so: deliveries of both are handled in one order */
  subject?: number;
  actorIsBot: boolean;
  /** ISO 8601, from the event itself */
  at: string;
}

/** What became of a delivery: stored now, or before, or not at all, since it does not concern the bot. */
export type Receipt = "recorded" | "known" | "ignored";

/** What ends work, or only says what happened. */
const NO_REQUESTS: ReadonlySet<Trigger["kind"]> = new Set(["unlabel", "gone", "reverted", "decided", "push"]);

/** Whether a delivery may start work: it neither cancels nor only asks something. */
export function asksForWork({ trigger }: Delivery): boolean {
  if (trigger.kind === "other-command") return definitionOf(trigger.command)?.effect === "starts work";
  return !NO_REQUESTS.has(trigger.kind);
}

/** Whether a delivery ends work, if its sender may; it then overtakes earlier deliveries. */
export function endsWork({ trigger }: Delivery): boolean {
  if (trigger.kind === "other-command") return definitionOf(trigger.command)?.effect === "ends work";
  return trigger.kind === "unlabel" || trigger.kind === "gone";
}

export function triggerOfComment(commentId: number, body: string, on: Place): Trigger {
  const command = readCommand(body);
  if (!command) return { kind: "comment", commentId, body, on };
  if (command.verb === "resolve" && on === "issue") {
    const { hint, options } = command;
    return { kind: "command", commentId, hint, options };
  }
  return { kind: "other-command", commentId, command, on };
}

/** The `event` of a comment or review, by its id on the host. */
export const eventOf = {
  comment: (id: number) => `comment-${id}`,
  review: (id: number) => `review-${id}`,
  reviewComment: (id: number) => `review-comment-${id}`,
} as const;

const DIGEST = Symbol("digest");

/** A webhook's payload with the digest of the signed text, which the parsed payload no longer has. */
export function withDigest<Payload extends object>(payload: Payload, digest: string): Payload {
  return Object.defineProperty(payload, DIGEST, { value: digest });
}

/** The digest that `withDigest` added; undefined without one. */
export function digestOf(payload: unknown): Pick<Delivery, "digest"> {
  const digest: unknown = typeof payload === "object" && payload !== null ? Reflect.get(payload, DIGEST) : undefined;
  return typeof digest === "string" ? { digest } : {};
}

/** `owner/name#issue@delivery`; `delivery` is anything unique to the request. */
export function runId(repository: Pick<RepositoryId, "owner" | "name">, issue: number, delivery: string): string {
  return `${repositoryName(repository)}#${issue}@${delivery}`;
}

const RUN_ID = /^([^#]*)#(\d{1,12})(?:@|$)/;

/** The repository (`owner/name`) in a run's id, and the issue or pull request if there is one. */
export function readRunId(id: string): { repository: string; issue?: number } {
  const [, repository = "", issue] = RUN_ID.exec(id) ?? [];
  return { repository, issue: issue === undefined ? undefined : Number(issue) };
}

/** Whether a run's id names the repository: a repository that was renamed since has runs with other names. */
export function isNamedAfter(id: string, repository: Pick<RepositoryId, "owner" | "name">): boolean {
  return readRunId(id).repository.toLowerCase() === repositoryName(repository).toLowerCase();
}

/** A new run for a delivery; `issue`: when it differs from the delivery's. */
export function beginRun(delivery: Delivery, work: RunWork, issue = delivery.issue): RunRequest {
  const { repository, trigger, text, actor, at, job } = delivery;
  const id = runId(repository, issue, delivery.id);
  return {
    id,
    root: id,
    work,
    repository,
    issue,
    trigger,
    text: work.kind === "resolve" ? text : undefined,
    actor,
    delivery: delivery.id,
    requestedAt: at,
    options: optionsOf(trigger),
    grants: [],
    job,
  };
}

/** A new run on a pull request of the app, under the options that it was asked for with, and the delivery's own. */
export function beginOnPull(delivery: Delivery, work: RunWork, pull: { number: number; body: string }): RunRequest {
  const begun = beginRun(delivery, work, pull.number);
  return { ...begun, options: mergeOptions(lastingOptions(optionsOfPull(pull)), begun.options) };
}

/** The options of a command that takes some. */
export function optionsOf(trigger: Trigger): RequestOptions | undefined {
  if (trigger.kind === "command") return trigger.options;
  return trigger.kind === "other-command" && "options" in trigger.command ? trigger.command.options : undefined;
}

/** A run that continues `earlier` with its hints, calls, record and comment, and its budget with what people added. */
export function continueFrom(
  earlier: RunRequest,
  { id, repository, trigger, actor, at, text }: Delivery,
  changes: Partial<Pick<RunRequest, "work" | "hint" | "gaveUp" | "grants">> = {},
): RunRequest {
  const { root, work, issue, grants } = earlier;
  const hints = cutBeginning(allHints(earlier), MAX_HINTS);
  return {
    id: runId(repository, issue, id),
    root,
    work,
    repository,
    issue,
    trigger,
    actor,
    delivery: id,
    requestedAt: at,
    grants,
    settings: earlier.settings,
    earlierHints: hints === "" ? undefined : hints,
    options: mergeOptions(earlier.options, optionsOf(trigger)),
    text: work.kind === "resolve" ? text : undefined,
    ...changes,
  };
}

const MAX_HINTS = 20_000;

/** The hints of the runs that a run continues, then its own. */
export function allHints({ trigger, hint, earlierHints }: RunRequest): string {
  const own = trigger.kind === "command" ? trigger.hint : hint;
  return [earlierHints, own].filter((part) => part).join("\n\n");
}

/** A run started on the command line, with a hint to the agents. */
export function runByHand(
  asked: Pick<RunRequest, "id" | "repository" | "issue" | "actor" | "requestedAt"> & { hint: string },
): RunRequest {
  const { hint, ...facts } = asked;
  return {
    ...facts,
    root: facts.id,
    delivery: facts.id,
    grants: [],
    work: { kind: "resolve", gate: "none" },
    trigger: { kind: "command", commentId: 0, hint },
  };
}

/**
 * The decision on a delivery that the guards let pass: start a run, wake the waiting ones, cancel the unfinished runs of
 * an issue and of the pull requests in `also`, with the earlier requests there that are not yet admitted, or admit a
 * delivery for each pull request that it concerns.
 */
export type AdmissionDecision =
  | { start: RunRequest }
  | { deliver: readonly Delivery[] }
  /** runs of the issue may wait for this: they look again */
  | { wake: { repository: RepositoryId; issue: number } }
  | {
      cancel: {
        repository: RepositoryId;
        issue: number;
        by: string;
        /** absent when a person asked for it */
        because?: StopReason;
        also?: readonly number[];
        /** requests not yet admitted: kept as runs cancelled before they began */
        calledOff?: readonly RunRequest[];
      };
    };
