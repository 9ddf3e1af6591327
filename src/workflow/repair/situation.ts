import type { Repair } from "../../model/read-repairs.ts";
import type { Check } from "../../ports/check-api.ts";
import type { HostPullRequest } from "../../ports/pull-request-api.ts";

/** Failing checks that are to be repaired, with all that the steps after this one need. Plain data. */
export interface FailingChecks {
  readonly pull: HostPullRequest;
  /** the commit that the pull request begins from */
  readonly base: string;
  readonly ours: readonly Check[];
  readonly unknown: readonly string[];
  readonly theirs: readonly string[];
  readonly theirsId: string;
  /** repairs of this pull request that came before */
  readonly earlier: readonly Repair[];
}

/** What the checks of a head call for. */
export type Situation = { readonly failing: FailingChecks } | { readonly nothing: string };
