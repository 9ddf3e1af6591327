import type { Delivery } from "../domain/run/delivery.ts";
import { parseChecks } from "./parse-checks.ts";
import { parseComment } from "./parse-comment.ts";
import { parseLabel } from "./parse-label.ts";
import { parseReview } from "./parse-review.ts";

/** A webhook as it arrives; the payload is not trusted beyond its signature. */
export interface Webhook {
  /** X-GitHub-Delivery */
  readonly id: string;
  /** X-GitHub-Event */
  readonly name: string;
  readonly payload: unknown;
}

export type ParsedDelivery = { readonly delivery: Delivery } | { readonly ignored: string };

/** The bot's branches; the number is the issue's. */
export const OWN_BRANCH = /^magis\/issue-(\d{1,12})-/;

/**
 * The delivery a webhook stands for, or why it stands for none: the configured label set or taken off, comments on
 * issues and on bots' pull requests, reviews of the bot's branches, ended checks on them. Pure; throws nothing.
 */
export function parseDelivery(webhook: Webhook, options: { readonly label: string }): ParsedDelivery {
  switch (webhook.name) {
    case "issues":
      return parseLabel(webhook, options.label);
    case "issue_comment":
      return parseComment(webhook);
    case "pull_request_review":
    case "pull_request_review_comment":
      return parseReview(webhook);
    case "check_run":
    case "check_suite":
    case "status":
      return parseChecks(webhook);
    default:
      return { ignored: "The event starts nothing." };
  }
}
