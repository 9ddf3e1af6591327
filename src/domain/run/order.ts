import type { RepositoryId } from "./repository-id.ts";
import type { RunRequest } from "./run-request.ts";

/** What comes of a delivery that the guards let pass: a run to start, or unfinished runs to end. */
export type Order =
  | { readonly start: RunRequest }
  | { readonly cancel: { readonly repository: RepositoryId; readonly issue: number; readonly by: string } };
