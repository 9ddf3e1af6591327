import { readText } from "../../edits/text-file.ts";
import type { ChangeDescription, Manager } from "../../llm/agents.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import { isAnswerError } from "../../model/error.ts";
import type { PlannedDescription } from "../../model/plan.ts";
import { limitReached } from "../../model/spend.ts";
import type { TaskOutcome } from "../../model/work.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import { stripHiddenText } from "../../text/strip-hidden.ts";

/** Diffs longer than this are cut for the description; the pull request itself has them whole. */
const MAX_DIFF = 40_000;

/**
 * The pull request's words. The change is made already: when the model cannot describe it, or the budget is used up,
 * the agents' own summaries have to do.
 */
export async function describeWork(deps: {
  readonly manager: Manager;
  readonly issue: IssueSnapshot;
  readonly outcomes: readonly TaskOutcome[];
  readonly diffs: ReadonlyMap<string, string>;
  readonly template: string;
  /** the Manager's own, found while planning: only a template is left to be filled in */
  readonly planned?: PlannedDescription | undefined;
  readonly log: Log;
}): Promise<ChangeDescription> {
  const { manager, issue, outcomes, diffs, planned, log } = deps;
  // What a template tells whoever fills it in by hand, in comments, is neither for agents nor for the pull request.
  const template = stripHiddenText(deps.template);
  const changes = [...diffs].map(([path, diff]) => ({
    path,
    summary: summaryOf(path, outcomes),
    diff: diff.slice(0, MAX_DIFF),
  }));
  const solution = changes.map(({ summary }) => summary).join("\n");
  if (planned && template === "") return { ...planned, solution, template: "" };
  try {
    if (planned) {
      const description = { ...planned, solution };
      const paths = changes.map(({ path }) => path);
      return { ...description, template: await manager.fillTemplate(issue.number, description, paths, template) };
    }
    return await manager.describeChange(
      issue,
      changes.map(({ summary, diff }) => ({ summary, diff })),
      template,
    );
  } catch (error) {
    if (!isAnswerError(error) && limitReached(error) === undefined) throw error;
    log.warn({ error }, "the pull request is described by the agents' summaries");
    return { type: "fix", title: issue.title, problem: "", ...planned, solution, template };
  }
}

const summaryOf = (path: string, outcomes: readonly TaskOutcome[]) =>
  outcomes
    .filter((outcome) => outcome.path === path)
    .map(({ summary }) => summary)
    .join(" ");

/** Where GitHub looks for it, in its order. */
const PLACES = /^(?:\.github\/|docs\/|)pull_request_template(?:\.md|\.txt)?$/i;

const MAX_CHARACTERS = 10_000;

/** The repository's pull request template, or "". A folder of several templates leaves the choice to a person: "". */
export async function pullRequestTemplate({
  entries,
  readBlob,
}: Pick<Repository, "entries" | "readBlob">): Promise<string> {
  const found = [...entries.values()].find(({ path, mode }) => PLACES.test(path) && mode.startsWith("100"));
  const text = found && readText(await readBlob(found.blob))?.lines.join("");
  return text !== undefined && text.length <= MAX_CHARACTERS ? text.trim() : "";
}
