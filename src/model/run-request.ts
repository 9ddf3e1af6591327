import { cutBeginning } from "../text/cut.ts";
import { type Command, definitionOf, readCommand } from "./command.ts";
import type { StopReason } from "./run-state.ts";
import type { RepositorySettings } from "./settings.ts";

/** A repository as one installation of the app sees it. */
export interface RepositoryId {
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
}

/** `owner/name`, for people and for keys within one installation. */
export function repositoryName(repository: Pick<RepositoryId, "owner" | "name">): string {
  return `${repository.owner}/${repository.name}`;
}

/** What made the bot act. */
export type Trigger =
  | { readonly kind: "label"; readonly label: string }
  /** `/magis resolve`; `hint` is what stands behind it */
  | { readonly kind: "command"; readonly commentId: number; readonly hint: string }
  | { readonly kind: "unlabel"; readonly label: string }
  /** any other command, on an issue or a pull request */
  | {
      readonly kind: "other-command";
      readonly commentId: number;
      readonly command: Command;
      readonly onPullRequest: boolean;
    }
  /** a comment that is no command */
  | { readonly kind: "comment"; readonly commentId: number; readonly body: string; readonly onPullRequest: boolean }
  /** an issue or pull request on which there is nothing more to be done */
  | { readonly kind: "gone"; readonly why: StopReason }
  /** a review, or a comment in a review thread */
  | { readonly kind: "review" }
  /** checks of a commit have ended */
  | { readonly kind: "checks"; readonly head: string; readonly branch: string };

/** Title and body of an issue as they stood at the trigger. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/** What a run is to do. */
export type RunWork =
  /** from the issue to a pull request; `gate: "plan"` stops when the plan is made, for a person to approve it */
  | { readonly kind: "resolve"; readonly gate: "none" | "plan" }
  /** answer the open feedback on the bot's pull request; `asked`: although a person has committed to its branch */
  | { readonly kind: "revise"; readonly asked: boolean }
  /** repair what makes the checks of the pull request's head fail */
  | { readonly kind: "repair"; readonly head: string };

/** US dollars that somebody has added to a run's budget. */
export interface Grant {
  /** login */
  readonly by: string;
  readonly money: number;
}

/** All that a run is started with. Plain data, without tokens: it is kept in the database. */
export interface RunRequest {
  /** `owner/name#issue@delivery`: the same delivery never starts two runs */
  readonly id: string;
  /**
   * The run whose calls, record and tracking comment this one goes on with (`retry`, `continue`, `approve`); its own id
   * for a run that begins anew.
   */
  readonly root: string;
  readonly work: RunWork;
  readonly repository: RepositoryId;
  /** the issue, or the pull request that is revised or repaired */
  readonly issue: number;
  readonly trigger: Trigger;
  /** the issue at the trigger; absent where there is none, and in its place what the host says now is taken */
  readonly text?: IssueText;
  /** what people have said about the plan: added to the hint of the run that this one goes on with */
  readonly hint?: string;
  /** why the run that this one goes on with gave up, in the agents' words: never a hint */
  readonly gaveUp?: string;
  /** all hints of the runs that this one goes on with, for where their record is not kept */
  readonly asked?: string;
  /** login of the person who asked */
  readonly actor: string;
  /** X-GitHub-Delivery of the webhook */
  readonly delivery: string;
  /** ISO 8601; comments made or edited later are not read */
  readonly requestedAt: string;
  /** what the repository had decided when the run was asked for; absent: the operator's values hold */
  readonly settings?: RepositorySettings;
  /** US dollars that people have added to this run's budget with `continue` */
  readonly allowance: number;
  /** who added them, in the order in which they did; absent where it is not known */
  readonly grants?: readonly Grant[];
  /** the page of the job that the run ends with: nothing of it is kept that could be gone on with; absent: a server's */
  readonly job?: string;
}

/** A webhook that the bot may act on, parsed once. Plain data: it is kept until it is dealt with. */
export interface Delivery {
  /** X-GitHub-Delivery; a redelivery keeps it */
  readonly id: string;
  /** SHA-256 of the body that was signed: the id is not */
  readonly digest?: string;
  /** what happened, by its id on the host: the same whether a webhook told of it or somebody looked */
  readonly event?: string | undefined;
  readonly repository: RepositoryId;
  /** the issue or pull request it is about; for checks, the issue that the branch's name tells */
  readonly issue: number;
  /** the issue that its pull request is for, where the webhook tells: what is said on both is taken in one order */
  readonly subject?: number;
  readonly actor: string;
  readonly actorIsBot: boolean;
  readonly trigger: Trigger;
  readonly text?: IssueText;
  /** ISO 8601, by the event itself */
  readonly at: string;
  /** the page of the job that deals with it; absent: a server does */
  readonly job?: string;
}

/** Whether work may come of a delivery: it is no cancel, and no question. */
export function asksForWork({ trigger }: Delivery): boolean {
  if (trigger.kind === "other-command") return definitionOf(trigger.command)?.effect === "starts work";
  return trigger.kind !== "unlabel" && trigger.kind !== "gone";
}

/** Whether a delivery ends work, if its sender may: it waits for nothing that was said before. */
export function endsWork({ trigger }: Delivery): boolean {
  if (trigger.kind === "other-command") return definitionOf(trigger.command)?.effect === "ends work";
  return trigger.kind === "unlabel" || trigger.kind === "gone";
}

/** What a comment on an issue or a pull request triggers: it is a command, or just a comment. */
export function triggerOfComment(commentId: number, body: string, onPullRequest: boolean): Trigger {
  const command = readCommand(body);
  if (!command) return { kind: "comment", commentId, body, onPullRequest };
  if (command.verb === "resolve" && !onPullRequest) return { kind: "command", commentId, hint: command.hint };
  return { kind: "other-command", commentId, command, onPullRequest };
}

/** The `event` of what people say, by the ids that the host gives it. */
export const eventOf = {
  comment: (id: number) => `comment-${id}`,
  review: (id: number) => `review-${id}`,
  reviewComment: (id: number) => `review-comment-${id}`,
} as const;

const DIGEST = Symbol("digest");

/** A webhook's payload with the digest of the text that was signed: of what is parsed, it can no longer be told. */
export function withDigest<Payload extends object>(payload: Payload, digest: string): Payload {
  return Object.defineProperty(payload, DIGEST, { value: digest });
}

/** The digest that `withDigest` has put there. */
export function digestOf(payload: unknown): Pick<Delivery, "digest"> {
  const digest: unknown = typeof payload === "object" && payload !== null ? Reflect.get(payload, DIGEST) : undefined;
  return typeof digest === "string" ? { digest } : {};
}

/** `owner/name#issue@delivery`; `delivery` is whatever is unique to the asking. */
export function runId(repository: Pick<RepositoryId, "owner" | "name">, issue: number, delivery: string): string {
  return `${repositoryName(repository)}#${issue}@${delivery}`;
}

const RUN_ID = /^([^#]*)#(\d{1,12})(?:@|$)/;

/** What a run's id tells of it: `owner/name`, and its issue or pull request where it has one. */
export function readRunId(id: string): { readonly repository: string; readonly issue?: number } {
  const [, repository = "", issue] = RUN_ID.exec(id) ?? [];
  return { repository, ...(issue !== undefined && { issue: Number(issue) }) };
}

/** A run that begins anew because of a delivery; `issue`: where it is about another one than the delivery. */
export function beginRun(delivery: Delivery, work: RunWork, issue = delivery.issue): RunRequest {
  const { repository, trigger, text, actor, at, job } = delivery;
  const id = runId(repository, issue, delivery.id);
  const asked = { repository, issue, trigger, actor, delivery: delivery.id, requestedAt: at, ...(job && { job }) };
  return { id, root: id, work, ...asked, allowance: 0, ...(work.kind === "resolve" && text && { text }) };
}

/** A new run that goes on with `earlier`: its hints, calls, record and comment, and its budget with what people have added. */
export function continueFrom(
  earlier: RunRequest,
  { id, repository, trigger, actor, at, text }: Delivery,
  changes: Partial<Pick<RunRequest, "work" | "hint" | "gaveUp" | "allowance" | "grants">> = {},
): RunRequest {
  const { root, work, issue, allowance, grants } = earlier;
  const asked = cutBeginning(allHints(earlier), MAX_HINTS);
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
    allowance,
    ...(grants && { grants }),
    ...(asked !== "" && { asked }),
    ...(work.kind === "resolve" && text && { text }),
    ...changes,
  };
}

const MAX_HINTS = 20_000;

/** The hints of a run and of those that it goes on with, in their order. */
export function allHints({ trigger, hint, asked }: RunRequest): string {
  const own = trigger.kind === "command" ? trigger.hint : hint;
  return [asked, own].filter((part) => part).join("\n\n");
}

/** A run that somebody asks for on the command line, with a hint to the agents. */
export function runByHand(
  asked: Pick<RunRequest, "id" | "repository" | "issue" | "actor" | "requestedAt"> & { readonly hint: string },
): RunRequest {
  const { hint, ...facts } = asked;
  return {
    ...facts,
    root: facts.id,
    delivery: facts.id,
    allowance: 0,
    work: { kind: "resolve", gate: "none" },
    trigger: { kind: "command", commentId: 0, hint },
  };
}

/**
 * What comes of a delivery that the guards let pass: a run to start, or the unfinished runs of an issue to end, and
 * those of the pull requests in `also`, with whatever was said there before and is not yet admitted.
 */
export type AdmissionDecision =
  | { readonly start: RunRequest }
  /** the runs of an issue that may wait for this: they look once more */
  | { readonly wake: { readonly repository: RepositoryId; readonly issue: number } }
  | {
      readonly cancel: {
        readonly repository: RepositoryId;
        readonly issue: number;
        readonly by: string;
        /** absent: it was asked for */
        readonly because?: StopReason;
        readonly also?: readonly number[];
        /** what had been asked for and was not yet admitted: kept as runs that were cancelled before they began */
        readonly calledOff?: readonly RunRequest[];
      };
    };
