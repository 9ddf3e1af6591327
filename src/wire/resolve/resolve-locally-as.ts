import { createProgress } from "../../cli/resolve/create-progress.ts";
import type { ResolveAnswer } from "../../cli/resolve/resolve-args.ts";
import type { LocalJob } from "../../workflow/dry-run/local-job.ts";
import { resolveLocally } from "../../workflow/dry-run/resolve-locally.ts";
import { type OwnParts, openLocalRunner } from "../open-local-runner.ts";
import { chosenBy, type ResolveWork } from "./resolve-work.ts";

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
  const { result, report, patch, words } = await resolveLocally(asked, dependencies, signal);
  const description =
    words && [words.problem, words.solution, words.template].filter((text) => text !== "").join("\n\n");
  return {
    ...{ result, report, patch, notes: [] },
    ...(words && { title: `${words.type}: ${words.title}` }),
    ...(description !== undefined && { description }),
  };
}
