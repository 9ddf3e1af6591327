import type { RepositoryId } from "./repository-id.ts";

/** What made the bot start: the configured label, or the first line of a comment. */
export type Trigger =
  | { readonly kind: "label"; readonly label: string }
  | { readonly kind: "command"; readonly commentId: number; readonly hint: string };

/** All that a run is started with. Plain data, without tokens: it is kept in the database. */
export interface RunRequest {
  /** `owner/name#issue@delivery`: the same delivery never starts two runs */
  readonly id: string;
  readonly repository: RepositoryId;
  readonly issue: number;
  readonly trigger: Trigger;
  /** login of the person who asked */
  readonly actor: string;
  /** X-GitHub-Delivery of the webhook */
  readonly delivery: string;
  /** ISO 8601; comments made or edited later are not read */
  readonly requestedAt: string;
}
