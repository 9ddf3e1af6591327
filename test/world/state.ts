import type { Contract } from "./contract/create-contract.ts";
import type { AppManifest } from "./front/register-request.ts";
import type { BareRepository } from "./git/bare-repository.ts";
import type { Webhooks } from "./hooks/create-webhooks.ts";
import type { EmulateClient } from "./start-emulate.ts";

/** JSON as it comes off the wire. */
export type Fields = { [key: string]: unknown };

/** A user's role in a repository, in GitHub's words. */
export type Role = "admin" | "maintain" | "write" | "triage" | "read" | "none";

/** The sender of a request. Emulate knows it by `token`. */
export type Actor =
  | { kind: "user"; login: string; token: string }
  | { kind: "app"; login: string; token: string }
  | {
      kind: "installation";
      login: string;
      token: string;
      installationId: number;
      permissions: Record<string, string>;
      /** The repositories (without owner) that the token is limited to; undefined for all of the installation. */
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

/** The front's own data of a pull request; the rest is in emulate. */
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
  /** More runs will follow, so that it does not end with its present ones. */
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

/** A run of a workflow of GitHub Actions, which lasts as long as its suite. */
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
  /** Commits that GitHub would have signed itself. */
  signed: Set<string>;
  minimized: Set<string>;
  jobLogs: Map<number, string>;
}

/** Everything that the handlers share. */
export interface WorldState {
  /** The stage of the app's registration by a manifest; by default the app is registered and installed. */
  registration: Registration;
  signIn: SignInState;
  url: string;
  /** The origin of logs: a different one, as on GitHub, so that a token sent there shows. */
  filesUrl: string;
  folder: string;
  app: { id: number; slug: string; login: string };
  tokens: Map<string, Actor>;
  repositories: Map<string, RepositoryState>;
  emulate: EmulateClient;
  hooks: Webhooks;
  contract: Contract;
  nextId: () => number;
  /** The HTML of what people sent by e-mail, by its body. */
  emails: Map<string, string>;
}

/** One authorised REST request about a repository. */
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

/** People who sign in to the app. */
export interface SignInState {
  /** Whose browser it is that asks. */
  person: string | undefined;
  /** Codes that can be exchanged once. */
  codes: Map<string, { login: string; redirect: string; challenge: string }>;
}

export interface Registration {
  installed: boolean;
  /** The manifest that the page shows. */
  asked?: AppManifest;
  /** The accepted manifest, which gives the app its webhook, events and permissions. Its code can be exchanged once. */
  manifest?: AppManifest;
  code?: string;
}
