import type { Delivery } from "../model/delivery.ts";
import { markers } from "../model/markers.ts";
import type { RunState } from "../model/run-state.ts";
import { workingCommands } from "../model/working-commands.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { initialState } from "../workflow/run/tracker.ts";
import type { CommandContext } from "./command-context.ts";
import { findSubject } from "./find-subject.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";

/** Finds out what a command is about; undefined on a pull request that is not the bot's, or closed. */
export async function openCommand(
  delivery: Delivery,
  host: CodeHost,
  deps: HandlerDependencies,
): Promise<CommandContext | undefined> {
  const { trigger, repository } = delivery;
  const onPullRequest = trigger.kind === "other-command" && trigger.onPullRequest;
  const subject = await findSubject(delivery, onPullRequest, host);
  if (!subject) return undefined;
  const { issue, pull } = subject;
  const numbers = [issue, ...(pull ? [pull.number] : [])];
  const [latest, followUp] = await Promise.all(numbers.map((number) => deps.store.latestRun(repository, number)));
  const unfinished = (await Promise.all(numbers.map((number) => deps.unfinished(repository, number)))).flat();
  const { result: _ended, ...open } = latest?.state ?? initialState();
  const shown: RunState | undefined =
    unfinished.length > 0 ? open : (onPullRequest && followUp?.state) || latest?.state;
  return {
    ...{ delivery, host, deps, issue, pull, onPullRequest, latest, followUp, unfinished },
    verbs: workingCommands(shown, onPullRequest),
    async answer(text) {
      if (trigger.kind !== "other-command") return;
      const marker = markers.command(trigger.commentId);
      if (await host.findOwnComment(delivery.issue, marker)) return;
      await host.createComment(delivery.issue, `${marker}\n\n${text}`);
    },
  };
}
