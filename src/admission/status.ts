import { statusText } from "../report/status-text.ts";
import type { CommandContext } from "./command-context.ts";

/** `/magis status`: how things stand, from what is kept. */
export async function status(context: CommandContext): Promise<undefined> {
  const { latest, pull, unfinished, verbs, onPullRequest } = context;
  const isOpen = unfinished.some(({ id }) => id === latest?.request.id);
  const isWaiting = isOpen && (latest?.state === undefined || latest.state.result !== undefined);
  const followUps = unfinished.filter(({ work }) => work.kind !== "resolve").length;
  const text = statusText({
    ...{ state: isWaiting ? undefined : latest?.state, isWaiting, followUps, verbs, onPullRequest },
    ...(pull && { pullRequest: pull.number }),
  });
  await context.answer(text);
}
