import { DBOS } from "@dbos-inc/dbos-sdk";
import { type RepositoryId, repositoryName } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";
import { WORKFLOWS } from "./names.ts";

/** The unfinished runs of an issue or pull request, waiting or running, on any machine. */
export async function findUnfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]> {
  const unfinished = await DBOS.listWorkflows({
    workflowName: WORKFLOWS.resolve,
    status: ["PENDING", "ENQUEUED", "DELAYED"],
    loadOutput: false,
  });
  const name = repositoryName(repository).toLowerCase();
  return unfinished
    .map(({ input }) => (input as [RunRequest])[0])
    .filter((request) => request.issue === issue && repositoryName(request.repository).toLowerCase() === name);
}
