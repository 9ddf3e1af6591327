import { type Place, type Verb, workingCommands } from "../../data/command.ts";
import { issueOfPull, markers } from "../../data/marks.ts";
import type { Delivery, RunRequest } from "../../data/run-request.ts";
import { initialState, type RunState } from "../../data/run-state.ts";
import type { CodeHost, HostPullRequest } from "../../github/code-host.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import type { KeptRun } from "../../run/runs.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { findOpenPull } from "./guards.ts";

/** What a command refers to; undefined on a pull request that is closed or not the bot's. */
export async function openCommand(
  delivery: Delivery,
  host: CodeHost,
  deps: AdmissionDependencies,
): Promise<CommandContext | undefined> {
  const { trigger } = delivery;
  const isOnPull = trigger.kind === "other-command" && trigger.on === "pull request";
  const subject = isOnPull ? await findOwnPull(delivery, host) : await findIssue(delivery, host);
  if (!subject) return undefined;
  const runs = await readRuns(delivery, subject, deps);
  return {
    ...subject,
    ...runs,
    delivery,
    host,
    deps,
    verbs: workingCommands(shownState(runs, subject), { on: subject.on, inJob: delivery.job !== undefined }),
    async answer(text) {
      if (trigger.kind !== "other-command") return;
      const marker = markers.command(trigger.commentId);
      await sayOnce(host, delivery.issue, marker, `${marker}\n\n${text}`);
    },
  };
}

async function findIssue({ issue }: Delivery, host: CodeHost): Promise<CommandSubject> {
  return { issue, pull: await findOpenPull(host, issue), on: "issue" };
}

/** The pull request that was commented on, and its issue; undefined when it is closed or not the bot's. */
export async function findOwnPull({ issue: number }: Delivery, host: CodeHost): Promise<CommandSubject | undefined> {
  const pull = await host.readPullRequest(number);
  const issue = issueOfPull(pull);
  return pull.byApp && pull.open && issue !== undefined ? { issue, pull, on: "pull request" } : undefined;
}

async function readRuns(
  delivery: Delivery,
  { issue, pull }: CommandSubject,
  { store, queue }: AdmissionDependencies,
): Promise<KnownRuns> {
  const { repository } = delivery;
  const numbers = pull ? [issue, pull.number] : [issue];
  const [latest, followUp] = await Promise.all(numbers.map((number) => store.latestRun(repository, number)));
  // In this order, so that a delivery admitted in between shows up among the runs.
  const unadmitted = await queue.unadmitted(delivery, numbers);
  const unfinished = (await Promise.all(numbers.map((number) => queue.unfinished(repository, number)))).flat();
  return { latest, followUp, unadmitted, unfinished };
}

/** The state that decides which commands work. */
function shownState({ latest, followUp, unfinished }: KnownRuns, { on }: CommandSubject): RunState | undefined {
  if (unfinished.length > 0) {
    const { result: _ended, ...open } = latest?.state ?? initialState();
    return open;
  }
  return (on === "pull request" && followUp?.state) || latest?.state;
}

interface CommandSubject {
  /** the issue, even when the command was given on the pull request */
  issue: number;
  /** the bot's open pull request: the one commented on, or the issue's */
  pull: HostPullRequest | undefined;
  /** where the command was given */
  on: Place;
}

/** The runs and requests of an issue and its pull request. */
export interface KnownRuns {
  /** the issue's latest run, ended or not */
  latest: KeptRun | undefined;
  /** the pull request's latest revise or repair run */
  followUp: KeptRun | undefined;
  /** earlier requests that are not admitted yet, oldest first */
  unadmitted: readonly Delivery[];
  /** working and queued runs */
  unfinished: readonly RunRequest[];
}

/** What a command is carried out with. */
export interface CommandContext extends CommandSubject, KnownRuns {
  delivery: Delivery;
  host: CodeHost;
  deps: AdmissionDependencies;
  /** the commands that work here and now */
  verbs: readonly Verb[];
  /** Replies once to the comment that holds the command: the reply carries that comment's mark. */
  answer(text: string): Promise<void>;
}
