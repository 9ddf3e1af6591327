import { isHostRefusal } from "../../data/error.ts";
import { issueOfPull, markers } from "../../data/marks.ts";
import { repositoryName } from "../../data/run-request.ts";
import type { CodeHost, HostPullRequest } from "../../github/code-host.ts";
import { DAYS_TO_ANSWER, staleClosedNote, staleQuestion } from "../../report/follow-up.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { WatchedPull } from "../../run/runs.ts";
import type { AdmissionDependencies } from "./dependencies.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Makes the function that handles a draft of the bot on which people have been quiet since `quietSince` (ISO 8601). After
 * the days of the setting it asks once whether the draft is still wanted; 7 days after an unanswered question it closes
 * the draft and deletes its branch, unless a person has committed there. Any answer keeps the draft for good. Running
 * it again after a crash asks and reports nothing twice. Gives true once the draft is closed; throws what the host
 * throws.
 */
export function createStaleDraftCloser(
  { openCodeHost, readSettings, queue, log }: AdmissionDependencies,
  now: () => number = Date.now,
): (watched: WatchedPull, quietSince: string) => Promise<boolean> {
  const daysSince = (at: string) => (now() - Date.parse(at)) / DAY_MS;

  return async ({ repository, number }, quietSince) => {
    // The shortest time in the setting: a younger draft costs no request.
    if (daysSince(quietSince) < 1) return false;
    const host = await openCodeHost(repository);
    const read = await readSettings(repository, host);
    if ("faults" in read) return false;
    const { staleDays } = read.settings;
    if (staleDays === 0 || daysSince(quietSince) < staleDays) return false;
    const pull = await host.readPullRequest(number);
    if (!pull.open || !pull.draft || !pull.byApp) return false;
    const issue = issueOfPull(pull);
    const works = [...new Set([number, issue ?? number])].map((one) => queue.unfinished(repository, one));
    if ((await Promise.all(works)).flat().length > 0) return false;
    const commits = await host.listCommits(number);
    if (commits.some(({ byApp }) => !byApp)) return false;

    const about = { pull: `${repositoryName(repository)}#${number}` };
    const asked = await host.findOwnComment(number, markers.stale(number));
    if (!asked) {
      await host.createComment(number, staleQuestion(number, Math.floor(daysSince(quietSince))));
      log.info(about, "asked whether the draft is still wanted");
      return false;
    }
    const isAnswered = Date.parse(quietSince) >= Date.parse(asked.createdAt);
    if (isAnswered || daysSince(asked.createdAt) < DAYS_TO_ANSWER) return false;
    await close(pull, issue, host);
    log.info(about, "closed a draft that nobody answered for");
    return true;
  };
}

/** Comment on the issue first: a closed draft is not polled again. */
async function close({ number, branch }: HostPullRequest, issue: number | undefined, host: CodeHost): Promise<void> {
  if (issue !== undefined) {
    const marker = markers.staleClosed(number);
    // The issue may be locked.
    await sayOnce(host, issue, marker, staleClosedNote(number)).catch(ignoreRefusal);
  }
  // GitHub closes the pull request of a branch that is deleted, so a crash in between leaves nothing to do.
  await host.deleteRef(`heads/${branch}`).catch(ignoreRefusal);
  await host.updatePullRequest(number, { state: "closed" });
}

function ignoreRefusal(error: unknown): void {
  if (!isHostRefusal(error)) throw error;
}
