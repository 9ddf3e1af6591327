import { localCheck, type OwnParts, openLocalRunner } from "../../app/local-runner.ts";
import { readRecord } from "../../data/read-record.ts";
import type { Chosen } from "../../data/settings.ts";
import { checkSentence } from "../../report/end-of-run.ts";
import type { RunReport } from "../../run/runs.ts";
import { cutSentence } from "../../run/snapshot-issue.ts";
import type { CommandConfig } from "../../settings/environment/config.ts";
import { chosenSettings } from "../../settings/environment/operator.ts";
import { beginning } from "../../text/counted.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import { resolveLocally } from "../../workflow/dry-run/dry-run.ts";
import type { LocalIssue, LocalJob } from "../../workflow/dry-run/job.ts";
import type { CliContext } from "../cli-command.ts";
import type { ResolveAnswer, ResolveArgs } from "./args.ts";
import { firstLines, type Progress } from "./progress.ts";

/** What every way of resolving an issue from the command line needs. */
export interface ResolveWork extends Pick<CliContext, "environment" | "log" | "signal" | "progress"> {
  args: ResolveArgs;
  config: CommandConfig;
  watcher: Omit<Progress, "stop" | "aside">;
  /** Asks the person at the terminal a yes-or-no question; absent when nobody is there. */
  ask?: ((question: string) => Promise<boolean>) | undefined;
}

/** Settings from the command line override the repository's file; those from the environment do not. */
export function chosenBy({ args: { variables }, config }: Pick<ResolveWork, "args" | "config">): Chosen {
  return chosenSettings(config, variables);
}

/**
 * The check that the person chose, or the repository's if they said so. `beside`: their directory with the installed
 * packages.
 */
export function checkOf(
  { args, config, environment, signal, progress, watcher, ask }: ResolveWork,
  beside: string | undefined = args.options["check-beside"],
): NonNullable<LocalJob["check"]> {
  return (own) => {
    // What the repository's check runs is up to whoever may write to the repository.
    const command = config.check.command ?? (args.options["own-check"] ? own : undefined);
    if (command === undefined) {
      if (own !== undefined) progress(`The repository names a check, ${terminalText(own)}: --own-check runs it here.`);
      return undefined;
    }
    const unproven = args.options["check-anyway"] ? "go on" : (ask ?? "stop");
    return localCheck(command, { config, environment, signal, beside, unproven, watch: watcher.checking });
  };
}

/** Does a dry run for the command line, and reports its end. */
export async function resolveLocallyAs(
  job: LocalIssue & { beside?: string },
  parts: Pick<OwnParts, "openRepository" | "uploads">,
  work: ResolveWork,
): Promise<ResolveAnswer> {
  const { config, args, log, signal, watcher } = work;
  const open = await openLocalRunner(config);
  const dependencies = open({ ...parts, log, watcher });
  const { beside, ...rest } = job;
  const asked = {
    ...rest,
    chosen: chosenBy(work),
    through: args.options.plan ? ("plan" as const) : undefined,
    check: checkOf(work, beside),
  };
  const { result, report, patch, description: made } = await resolveLocally(asked, dependencies, signal);
  const description = made && [made.problem, made.solution, made.template].filter((text) => text !== "").join("\n\n");
  return {
    result,
    report,
    patch,
    notes: runNotes(report),
    title: made && `${made.type}: ${made.title}`,
    description,
  };
}

/** What the agents did not see of the issue; how the check ended, and its first words if it failed. */
export function runNotes({ record, state }: Pick<RunReport, "record" | "state">): readonly string[] {
  const { check, start } = readRecord(record);
  const cut = start && cutSentence(start.issue);
  const notes = cut === undefined ? [] : [cut];
  // A run that stopped because of its check has said so.
  if (!check || state?.result?.kind === "refused") return notes;
  const sentence = checkSentence(check);
  return [...notes, `${beginning(sentence)}.`, ...firstLines(check.words)];
}
