import type { AdmissionDecision } from "../model/admission-decision.ts";
import { repositoryName } from "../model/repository-id.ts";
import type { CommandContext } from "./command-context.ts";

/** `/magis resolve` and `/magis retry` on the pull request: answers its open feedback, a person's commits or not. */
export function revise({ delivery }: CommandContext): AdmissionDecision {
  const { repository, id: guid, issue, trigger, actor, at } = delivery;
  const id = `${repositoryName(repository)}#${issue}@${guid}`;
  const asked = { repository, issue, trigger, actor, delivery: guid, requestedAt: at, allowance: 0 };
  return { start: { id, root: id, work: { kind: "revise", asked: true }, ...asked } };
}
