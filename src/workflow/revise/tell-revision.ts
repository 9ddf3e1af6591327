import type { RunRequest } from "../../model/run-request.ts";
import { tellFollowUp } from "../publish/tell-follow-up.ts";
import type { RunTools } from "../run/run-tools.ts";
import type { Answers } from "./answers-of.ts";
import type { Batch } from "./read-feedback.ts";

interface Told {
  readonly request: RunRequest;
  readonly batch: Batch;
  /** absent for a run that had to stop */
  readonly answers?: Answers;
  readonly commit?: string | undefined;
}

/** Puts the revision's line where people look; gives how many review threads are unresolved now. */
export async function tellRevision(
  told: Told,
  tools: Pick<RunTools, "host" | "earlierRun" | "tracker">,
): Promise<number> {
  const { request, batch } = told;
  const { pull, origin } = batch;
  const open = (await tools.host.listThreads(pull.number)).filter(({ resolved }) => !resolved).length;
  const { money } = tools.tracker.state().spend;
  const followUp = { run: request.id, what: whatOf(batch), outcome: outcomeOf(told), open, money };
  await tellFollowUp({
    ...{ tools, root: origin.root, issue: origin.issue.number },
    ...{ pullRequest: pull.number, followUp },
  });
  return open;
}

function whatOf({ feedback: { threads, comments } }: Batch): string {
  const people = [...new Set([...threads, ...comments].map(({ author }) => author))].join(", ");
  const parts = [
    threads.length > 0 && count(threads.length, "thread"),
    comments.length > 0 && count(comments.length, "comment"),
  ];
  return `Review by ${people}: ${parts.filter((part) => part).join(", ")}`;
}

function outcomeOf({ answers, commit }: Told): string {
  if (!answers) return "had to stop; the pull request's comments say why";
  const given = count(answers.threads.length + answers.comments.length, "answer");
  return commit === undefined ? `${given}, nothing was changed` : `commit ${commit.slice(0, 7)}, ${given}`;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
