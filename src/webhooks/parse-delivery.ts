import type { z } from "zod";
import type { Delivery } from "../domain/run/delivery.ts";
import type { Trigger } from "../domain/run/run-request.ts";
import { describePayloadFault } from "./describe-payload-fault.ts";
import { equalNames } from "./equal-names.ts";
import { parseCommand } from "./parse-command.ts";
import { commentPayload, labeledPayload } from "./payload-shapes.ts";

/** A webhook as it arrives; the payload is not trusted beyond its signature. */
export interface Webhook {
  /** X-GitHub-Delivery */
  readonly id: string;
  /** X-GitHub-Event */
  readonly name: string;
  readonly payload: unknown;
}

export type ParsedDelivery = { readonly delivery: Delivery } | { readonly ignored: string };

/**
 * The delivery a webhook stands for, or why it stands for none: issues labelled with `label` (in any case) and
 * comments that begin with `/magis resolve`, on open, unlocked issues. Pure; throws nothing.
 */
export function parseDelivery(webhook: Webhook, options: { readonly label: string }): ParsedDelivery {
  if (webhook.name === "issues") return parseLabel(webhook, options.label);
  if (webhook.name === "issue_comment") return parseComment(webhook);
  return { ignored: "The event starts nothing." };
}

function parseLabel({ id, payload }: Webhook, wanted: string): ParsedDelivery {
  const { data, error } = labeledPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  if (!equalNames(data.label.name, wanted)) return { ignored: "Another label was set." };
  return toDelivery(id, data, { kind: "label", label: data.label.name }, data.issue.updated_at);
}

function parseComment({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = commentPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const hint = parseCommand(data.comment.body);
  if (hint === undefined) return { ignored: "The comment is no command." };
  return toDelivery(id, data, { kind: "command", commentId: data.comment.id, hint }, data.comment.created_at);
}

type Payload = Pick<z.output<typeof labeledPayload>, "installation" | "repository" | "sender" | "issue">;

function toDelivery(id: string, payload: Payload, trigger: Trigger, at: string): ParsedDelivery {
  const { installation, repository, sender, issue } = payload;
  if (issue.pull_request !== undefined && issue.pull_request !== null)
    return { ignored: "It is a pull request, not an issue." };
  if (issue.state !== "open") return { ignored: "The issue is not open." };
  if (issue.locked) return { ignored: "The issue is locked." };
  return {
    delivery: {
      id,
      repository: { owner: repository.owner.login, name: repository.name, installationId: installation.id },
      issue: issue.number,
      actor: sender.login,
      actorIsBot: sender.type === "Bot" || sender.login.endsWith("[bot]"),
      trigger,
      ...(issue.title !== undefined && { text: { title: issue.title, body: issue.body ?? "" } }),
      at,
    },
  };
}
