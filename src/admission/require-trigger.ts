import { readCommand } from "../model/read-command.ts";
import { equalNames } from "./equal-names.ts";
import type { GuardContext, Refusal } from "./guard.ts";

/** Whoever takes the label off, or deletes the command or edits it into something else, has thought better of it. */
export async function requireTrigger({ delivery, host, readIssue }: GuardContext): Promise<Refusal | undefined> {
  const { trigger } = delivery;
  if (trigger.kind === "label") {
    const labels = (await readIssue())?.labels ?? [];
    const there = labels.some((label) => equalNames(label, trigger.label));
    return there ? undefined : { reason: "The label is no longer there." };
  }
  if (trigger.kind !== "command" && trigger.kind !== "other-command") return undefined;
  const wanted = trigger.kind === "command" ? "resolve" : trigger.command.verb;
  const comments = await host.listComments(delivery.issue);
  const comment = comments.find(({ id }) => id === trigger.commentId);
  if (!comment) return { reason: "The comment is no longer there." };
  return readCommand(comment.body)?.verb === wanted ? undefined : { reason: "The comment is no longer that command." };
}
