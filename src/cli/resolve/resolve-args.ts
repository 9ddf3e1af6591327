import type { RunResult } from "../../model/run-result.ts";
import type { RunReport } from "../../ports/run-report.ts";

/** An issue on the code host, and the host that its address named, if it was an address. */
export interface HostedIssue {
  readonly kind: "hosted";
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  /** e.g. `https://github.com` */
  readonly origin?: string;
}

/** An issue in a file, about any repository that git can read. */
export interface FileIssue {
  readonly kind: "file";
  /** a directory, or a URL */
  readonly repository: string;
  readonly file: string;
}

/** What `magis resolve` is asked to do. */
export interface ResolveArgs {
  readonly issue: HostedIssue | FileIssue;
  /** a branch; of a repository without a host also a tag or a commit; absent: the default branch, HEAD */
  readonly base?: string;
  /** for the agents, beside the issue; "" when there is none */
  readonly hint: string;
  readonly through: "plan" | "words";
  readonly publish: boolean;
  /** variables of the configuration in whose place the command line gives a value */
  readonly variables: Readonly<Record<string, string>>;
  /** files that are written at the end */
  readonly output?: string;
  readonly record?: string;
  readonly json: boolean;
}

/** What came of it. */
export interface ResolveAnswer {
  readonly result: RunResult;
  readonly report: RunReport;
  /** of all that is finished, for `git apply`; empty when nothing was changed */
  readonly patch: Uint8Array;
  /** of the pull request */
  readonly title?: string;
  /** Markdown */
  readonly description?: string;
  /** what people should know beside the result, a sentence each */
  readonly notes: readonly string[];
}
