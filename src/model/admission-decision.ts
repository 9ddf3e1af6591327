import type { RepositoryId } from "./repository-id.ts";
import type { RunRequest } from "./run-request.ts";

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
