import type { Command } from "./command.ts";
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
  /** what people have said about the plan, or to a retry: added to the hint of the run that this one goes on with */
  readonly words?: string;
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
}

/** A webhook that the bot may act on, parsed once. Plain data: it is kept until it is dealt with. */
export interface Delivery {
  /** X-GitHub-Delivery; a redelivery keeps it */
  readonly id: string;
  readonly repository: RepositoryId;
  /** the issue or pull request it is about; for checks, the issue that the branch's name tells */
  readonly issue: number;
  readonly actor: string;
  readonly actorIsBot: boolean;
  readonly trigger: Trigger;
  readonly text?: IssueText;
  /** ISO 8601, by the event itself */
  readonly at: string;
}

/**
 * What comes of a delivery that the guards let pass: a run to start, or the unfinished runs of an issue to end, and
 * those of the pull requests in `also`.
 */
export type AdmissionDecision =
  | { readonly start: RunRequest }
  | {
      readonly cancel: {
        readonly repository: RepositoryId;
        readonly issue: number;
        readonly by: string;
        readonly also?: readonly number[];
      };
    };
