import type { RepositoryId } from "./repository-id.ts";
import type { Trigger } from "./run-request.ts";

/** A webhook that may start a run, parsed once. Plain data: it is kept until it is dealt with. */
export interface Delivery {
  /** X-GitHub-Delivery; a redelivery keeps it */
  readonly id: string;
  readonly repository: RepositoryId;
  readonly issue: number;
  readonly actor: string;
  readonly actorIsBot: boolean;
  readonly trigger: Trigger;
  /** ISO 8601, by the event itself */
  readonly at: string;
}
