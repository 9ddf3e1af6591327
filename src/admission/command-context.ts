import { type Verb, workingCommands } from "../model/command.ts";
import { issueOfPull, markers } from "../model/marks.ts";
import type { Delivery, RunRequest } from "../model/run-request.ts";
import { initialState, type RunState } from "../model/run-state.ts";
import type { CodeHost } from "../ports/code-host.ts";
import type { HostPullRequest } from "../ports/pull-requests.ts";
import type { KeptRun } from "../ports/runs.ts";
import { sayOnce } from "../report/tracking-comment.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { findOpenPull } from "./guards.ts";

/** What a command refers to; undefined on a pull request that is closed or not the bot's. */
export async function openCommand(
  delivery: Delivery,
  host: CodeHost,
  deps: AdmissionDependencies,
): Promise<CommandContext | undefined> {
  const { trigger, repository } = delivery;
  const onPullRequest = trigger.kind === "other-command" && trigger.onPullRequest;
  const subject = await findSubject(delivery, onPullRequest, host);
  if (!subject) return undefined;
  const { issue, pull } = subject;
  const numbers = [issue, ...(pull ? [pull.number] : [])];
  const [latest, followUp] = await Promise.all(numbers.map((number) => deps.store.latestRun(repository, number)));
  // In this order, so that a delivery admitted in between shows up among the runs.
  const unadmitted = await deps.unadmitted(delivery, numbers);
  const unfinished = (await Promise.all(numbers.map((number) => deps.unfinished(repository, number)))).flat();
  const { result: _ended, ...open } = latest?.state ?? initialState();
  const shown: RunState | undefined =
    unfinished.length > 0 ? open : (onPullRequest && followUp?.state) || latest?.state;
  return {
    delivery,
    host,
    deps,
    issue,
    pull,
    onPullRequest,
    latest,
    followUp,
    unadmitted,
    unfinished,
    verbs: workingCommands(shown, { onPullRequest, inJob: delivery.job !== undefined }),
    async answer(text) {
      if (trigger.kind !== "other-command") return;
      const marker = markers.command(trigger.commentId);
      await sayOnce(host, delivery.issue, marker, `${marker}\n\n${text}`);
    },
  };
}

/** A command's issue and its open pull request; undefined on any other pull request. */
export async function findSubject(
  { issue: number }: Delivery,
  onPullRequest: boolean,
  host: Pick<CodeHost, "readPullRequest" | "findOwnPullRequests">,
): Promise<{ readonly issue: number; readonly pull: HostPullRequest | undefined } | undefined> {
  if (!onPullRequest) {
    return { issue: number, pull: await findOpenPull(host, number) };
  }
  const pull = await host.readPullRequest(number);
  const issue = issueOfPull(pull);
  return pull.byApp && pull.open && issue !== undefined ? { issue, pull } : undefined;
}

/** What a command is carried out with. */
export interface CommandContext {
  readonly delivery: Delivery;
  readonly host: CodeHost;
  readonly deps: AdmissionDependencies;
  /** the issue, even when the command was given on the pull request */
  readonly issue: number;
  /** the bot's open pull request: the one commented on, or the issue's */
  readonly pull: HostPullRequest | undefined;
  readonly onPullRequest: boolean;
  /** the issue's latest run, ended or not */
  readonly latest: KeptRun | undefined;
  /** the pull request's latest revise or repair run */
  readonly followUp: KeptRun | undefined;
  /** earlier requests for the issue and its pull request that are not admitted yet, oldest first */
  readonly unadmitted: readonly Delivery[];
  /** working and queued runs of the issue and its pull request */
  readonly unfinished: readonly RunRequest[];
  /** the commands that work here and now */
  readonly verbs: readonly Verb[];
  /** Replies once to the comment that holds the command: the reply carries that comment's mark. */
  answer(text: string): Promise<void>;
}
