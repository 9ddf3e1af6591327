import pMap from "p-map";
import type { FailedCheck } from "../../model/failed-check.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";
import { failuresAsIssue } from "./failures-as-issue.ts";
import { readFailure } from "./read-failure.ts";
import type { FailingChecks } from "./situation.ts";

/** Checks whose logs are read; of a commit that fails everywhere, the others are named only. */
const MAX_CHECKS = 6;
const AT_ONCE = 2;

export interface Diagnosis {
  readonly failures: readonly FailedCheck[];
  /** what fails, as the issue that the agents resolve */
  readonly issue: IssueSnapshot;
}

/** Reads what is known of the failures. It is kept from here on, so that a run that is taken up again asks the same. */
export async function diagnose({ failing, host, repository, log }: PhaseTools & { readonly failing: FailingChecks }) {
  const { pull, ours } = failing;
  const paths = [...repository.entries.keys()];
  const failures = await pMap(ours.slice(0, MAX_CHECKS), (check) => readFailure({ check, host, paths, log }), {
    concurrency: AT_ONCE,
  });
  const unshown = ours.slice(MAX_CHECKS).map(({ name }) => name);
  return { failures, issue: failuresAsIssue(pull, failures, unshown) } satisfies Diagnosis;
}
