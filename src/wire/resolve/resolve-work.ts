import type { CliContext } from "../../cli/cli-command.ts";
import type { ResolveArgs } from "../../cli/resolve/resolve-args.ts";
import type { CommandConfig } from "../../config/environment/config-config.ts";
import type { Log } from "../../ports/log.ts";
import type { Chosen } from "../../workflow/dry-run/local-job.ts";

/** What every way of resolving an issue from the command line is handed. */
export interface ResolveWork extends Pick<CliContext, "signal" | "progress"> {
  readonly args: ResolveArgs;
  readonly config: CommandConfig;
  readonly log: Log;
}

/** What the command line gives holds over the repository's file; what comes from the environment does not. */
export function chosenBy({ args: { variables }, config }: Pick<ResolveWork, "args" | "config">): Chosen {
  const { agents, model, budget } = config;
  const isGiven = (name: string) => variables[name] !== undefined;
  return {
    ...(isGiven("MAGIS_CANDIDATES") && { candidates: agents.candidates }),
    ...(isGiven("MAGIS_REVIEW_ROUNDS") && { reviewRounds: agents.reviewRounds }),
    models: {
      ...(isGiven("MAGIS_MODEL_STRONG") && { strong: model.models.strong }),
      ...(isGiven("MAGIS_MODEL_FAST") && { fast: model.models.fast }),
    },
    ...(isGiven("MAGIS_BUDGET_MONEY") && { budget: { money: budget.money } }),
  };
}
