import type { Delivery } from "../model/delivery.ts";
import { repositoryName } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";

/** A new run that goes on with `earlier`: its calls, record and comment, and its budget with what people have added. */
export function continueFrom(
  { repository, id, actor, trigger, at }: Delivery,
  earlier: RunRequest,
  changes: Partial<Pick<RunRequest, "work" | "words" | "allowance">> = {},
): RunRequest {
  const { root, work, issue, allowance } = earlier;
  return {
    ...{ id: `${repositoryName(repository)}#${issue}@${id}`, root, work, repository, issue, trigger, actor },
    ...{ delivery: id, requestedAt: at, allowance },
    ...changes,
  };
}
