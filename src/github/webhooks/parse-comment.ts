import { readCommand } from "../../model/read-command.ts";
import type { Trigger } from "../../model/run-request.ts";
import { deliveryBase } from "./delivery-base.ts";
import { describePayloadFault } from "./describe-payload-fault.ts";
import { commentPayload } from "./payload-shapes.ts";
import type { ParsedDelivery, Webhook } from "./webhook.ts";

/**
 * A comment on an open, unlocked issue or on a pull request of a bot: a command, or a comment. Comments of bots are
 * nothing: the bot's own comments are among them.
 */
export function parseComment({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = commentPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { issue, comment } = data;
  const onPullRequest = issue.pull_request !== undefined && issue.pull_request !== null;
  if (onPullRequest && issue.user?.type !== "Bot") return { ignored: "It is a person's pull request." };
  if (issue.state !== "open") return { ignored: "The issue is not open." };
  if (issue.locked) return { ignored: "The issue is locked." };
  const base = deliveryBase(id, data);
  const trigger = triggerOf(comment.id, comment.body, onPullRequest);
  if (trigger.kind === "comment" && base.actorIsBot) return { ignored: "A bot's comment." };
  return {
    delivery: {
      ...base,
      issue: issue.number,
      trigger,
      ...(!onPullRequest && issue.title !== undefined && { text: { title: issue.title, body: issue.body ?? "" } }),
      at: comment.created_at,
    },
  };
}

function triggerOf(commentId: number, body: string, onPullRequest: boolean): Trigger {
  const command = readCommand(body);
  if (!command) return { kind: "comment", commentId, body, onPullRequest };
  if (command.verb === "resolve" && !onPullRequest) return { kind: "command", commentId, hint: command.words };
  return { kind: "other-command", commentId, command, onPullRequest };
}
