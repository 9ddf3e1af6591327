import type { Contract } from "./contract/create-contract.ts";
import type { AppManifest } from "./front/app-manifest.ts";
import type { BareRepository } from "./git/bare-repository.ts";
import type { Webhooks } from "./hooks/create-webhooks.ts";
import type { EmulateClient } from "./start-emulate.ts";

/** JSON as it comes off the wire. */
export type Fields = { [key: string]: unknown };

/** A user's role in a repository, in GitHub's words. */
export type Role = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/** Who sends a request. `token` is what emulate knows the sender by. */
export type Actor =
  | { kind: "user"; login: string; token: string }
  | { kind: "app"; login: string; token: string }
  | {
      kind: "installation";
      login: string;
      token: string;
      installationId: number;
      permissions: Record<string, string>;
      /** Names (without owner) the token is limited to; undefined means all of the installation. */
      repositories: string[] | undefined;
      /** Milliseconds since the epoch. */
      expires: number;
    };

/** A user or bot as GitHub shows it. */
export interface Account extends Fields {
  login: string;
  id: number;
  type: string;
}

/** What the front itself knows of a pull request; the rest lives in emulate. */
export interface PullState {
  number: number;
  headRef: string;
  baseRef: string;
  headSha: string;
  baseSha: string;
  open: boolean;
  author: string;
  mergeCommit?: string;
}

/** A review comment in GitHub's REST form. */
export interface ReviewComment extends Fields {
  id: number;
  node_id: string;
  body: string;
  path: string;
  line: number | null;
  subject_type: string;
  user: Account;
  pull_request_review_id: number | null;
  in_reply_to_id?: number;
}

export interface Thread {
  id: string;
  pull: number;
  resolvedBy: string | undefined;
  outdated: boolean;
  comments: ReviewComment[];
}

export interface Review extends Fields {
  id: number;
  node_id: string;
  user: Account;
  body: string;
  state: string;
  commit_id: string;
}

export interface Reaction {
  subject: string;
  row: { id: number; node_id: string; user: Account; content: string; created_at: string };
}

export interface CheckApp {
  id: number;
  slug: string;
  name: string;
}

/** The checks of one app on one commit. */
export interface CheckSuite {
  id: number;
  sha: string;
  app: CheckApp;
  /** More runs are to come, so that it does not end with those it has. */
  held: boolean;
  createdAt: string;
}

export interface CheckRun {
  id: number;
  sha: string;
  suite: CheckSuite;
  name: string;
  status: string;
  conclusion: string | null;
  started_at: string;
  completed_at: string | null;
  external_id: string;
  details_url: string;
  output: Fields;
  annotations: Fields[];
}

/** A run of a workflow of GitHub's own Actions; it goes on as long as its suite does. */
export interface WorkflowRun {
  id: number;
  sha: string;
  path: string;
  suite: CheckSuite;
  artifacts: { id: number; name: string; zip: Uint8Array }[];
}

export interface RepositoryState {
  owner: string;
  name: string;
  private: boolean;
  defaultBranch: string;
  installationId: number;
  roles: Map<string, Role>;
  bare: BareRepository;
  pulls: Map<number, PullState>;
  reviews: { pull: number; row: Review }[];
  threads: Thread[];
  reactions: Reaction[];
  statuses: { sha: string; row: Fields }[];
  checks: CheckRun[];
  suites: CheckSuite[];
  workflows: WorkflowRun[];
  /** Commits GitHub would have signed itself. */
  signed: Set<string>;
  minimized: Map<string, string>;
  jobLogs: Map<number, string>;
}

/** Everything the handlers share. */
export interface WorldState {
  /** How far the app's registration by a manifest has come; worlds start with an app that is registered and installed. */
  registration: Registration;
  url: string;
  /** Where logs are served from: another origin, as on GitHub, so that a token sent there shows. */
  filesUrl: string;
  folder: string;
  app: { id: number; slug: string; login: string };
  tokens: Map<string, Actor>;
  repositories: Map<string, RepositoryState>;
  emulate: EmulateClient;
  hooks: Webhooks;
  contract: Contract;
  nextId: () => number;
}

/** One REST request that concerns a repository, after authentication and authorisation. */
export interface Call {
  state: WorldState;
  repo: RepositoryState;
  actor: Actor;
  method: string;
  /** Without the /api/v3 prefix. */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  accept: string;
  body: Fields;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Handler = (call: Call) => Promise<Answer>;

/** A method and a path template such as `/repos/{owner}/{repo}/git/refs/{ref+}` (`+`: slashes too). */
export type Route = [method: string, template: string, handler: Handler];

export interface Registration {
  installed: boolean;
  /** What the page asks about. */
  asked?: AppManifest;
  /** What the person agreed to: the app has its webhook, events and permissions. Its code can be exchanged once. */
  manifest?: AppManifest;
  code?: string;
}
