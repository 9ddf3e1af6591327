import type { RepositoryId } from "./repository-id.ts";
import type { IssueText, Trigger } from "./run-request.ts";

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
