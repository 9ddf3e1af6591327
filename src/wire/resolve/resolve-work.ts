import type { CliContext } from "../../cli/cli-command.ts";
import type { ResolveAnswer, ResolveArgs } from "../../cli/resolve/args.ts";
import { createProgress } from "../../cli/resolve/progress.ts";
import type { CommandConfig } from "../../config/environment/config.ts";
import { chosenSettings } from "../../config/environment/operator.ts";
import type { Chosen } from "../../model/settings.ts";
import type { Log } from "../../ports/log.ts";
import { resolveLocally } from "../../workflow/dry-run/dry-run.ts";
import type { LocalJob } from "../../workflow/dry-run/job.ts";
import { type OwnParts, openLocalRunner } from "../local-runner.ts";

/** What every way of resolving an issue from the command line is handed. */
export interface ResolveWork extends Pick<CliContext, "signal" | "progress"> {
  readonly args: ResolveArgs;
  readonly config: CommandConfig;
  readonly log: Log;
}

/** What the command line gives holds over the repository's file; what comes from the environment does not. */
export function chosenBy({ args: { variables }, config }: Pick<ResolveWork, "args" | "config">): Chosen {
  return chosenSettings(config, variables);
}

/** Runs one dry run as the command line asks for it, and tells its end. */
export async function resolveLocallyAs(
  job: Omit<LocalJob, "chosen" | "through">,
  parts: Pick<OwnParts, "openRepository" | "fetchImage">,
  work: ResolveWork,
): Promise<ResolveAnswer> {
  const { config, args, log, signal, progress } = work;
  const open = await openLocalRunner(config);
  const dependencies = open({ ...parts, log, watcher: createProgress(progress) });
  const asked = { ...job, chosen: chosenBy(work), through: args.through };
  const { result, report, patch, description: made } = await resolveLocally(asked, dependencies, signal);
  const description = made && [made.problem, made.solution, made.template].filter((text) => text !== "").join("\n\n");
  return {
    ...{ result, report, patch, notes: [] },
    ...(made && { title: `${made.type}: ${made.title}` }),
    ...(description !== undefined && { description }),
  };
}
