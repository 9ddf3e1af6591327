import { estimateCost } from "../model/estimate-cost.ts";
import type { ProposedPlan } from "../model/proposed-plan.ts";
import type { Base } from "./run/base.ts";
import type { RunTools } from "./run/run-tools.ts";
import type { MadePlan } from "./strategy/make-plan.ts";

/** The plan as a person is to approve it, with what carrying it out may cost. */
export function proposePlan(
  { tasks, order, meeting }: MadePlan,
  base: Base,
  { tracker, settings }: Pick<RunTools, "tracker" | "settings">,
): ProposedPlan {
  return {
    tasks: tasks.map(({ id, path, action, title, description }) => ({ id, path, action, title, description })),
    ...{ order, meeting, base },
    estimate: estimateCost(tracker.state().spend, {
      ...{ tasks: tasks.length, rounds: settings.reviewRounds, profile: settings.profile },
    }),
  };
}
