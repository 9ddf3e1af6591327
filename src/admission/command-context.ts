import type { Verb } from "../model/command.ts";
import type { Delivery } from "../model/delivery.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { CodeHost } from "../ports/code-host.ts";
import type { HostPullRequest } from "../ports/pull-request-api.ts";
import type { KeptRun } from "../ports/run-store.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";

/** What a command is carried out with. */
export interface CommandContext {
  readonly delivery: Delivery;
  readonly host: CodeHost;
  readonly deps: HandlerDependencies;
  /** the issue it is about, also when it was given on the pull request */
  readonly issue: number;
  /** the bot's open pull request: that on which the command was given, or that of the issue */
  readonly pull: HostPullRequest | undefined;
  readonly onPullRequest: boolean;
  /** the issue's latest run, ended or not */
  readonly latest: KeptRun | undefined;
  /** the run of the pull request, for feedback or checks, that was asked for last */
  readonly followUp: KeptRun | undefined;
  /** runs of the issue and its pull request that work or wait for their turn */
  readonly unfinished: readonly RunRequest[];
  /** the commands that do something now, where the command was given */
  readonly verbs: readonly Verb[];
  /** Comments once for the comment that the command stands in, below what it is: the text gets its mark. */
  answer(text: string): Promise<void>;
}
