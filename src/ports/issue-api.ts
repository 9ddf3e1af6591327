export type Permission = "admin" | "maintain" | "write" | "triage" | "read" | "none";
export type Reaction = "eyes" | "rocket" | "confused" | "+1" | "-1" | "heart" | "hooray" | "laugh";

export interface HostComment {
  readonly id: number;
  /** GraphQL's id, for `minimiseComment` */
  readonly nodeId: string;
  readonly author: string;
  readonly byBot: boolean;
  readonly body: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface HostIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly url: string;
  readonly open: boolean;
  readonly locked: boolean;
  readonly isPullRequest: boolean;
  readonly labels: readonly string[];
}

/** Issues and their comments. All methods throw MagisError HOST_REFUSED, HOST_NOT_FOUND or HOST_UNREACHABLE. */
export interface IssueApi {
  readIssue(issue: number): Promise<HostIssue>;
  /** oldest first */
  listComments(issue: number): Promise<readonly HostComment[]>;
  permissionOf(login: string): Promise<Permission>;
  /** Adding the same reaction again changes nothing. */
  react(target: { readonly issue: number } | { readonly comment: number }, reaction: Reaction): Promise<void>;
  /** The app's own comment on the issue that contains `marker`. */
  findOwnComment(issue: number, marker: string): Promise<HostComment | undefined>;
  createComment(issue: number, body: string): Promise<HostComment>;
  updateComment(comment: number, body: string): Promise<void>;
  /** Folds an own comment away as outdated. */
  minimiseComment(nodeId: string): Promise<void>;
}
