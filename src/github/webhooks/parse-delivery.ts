import { parseChecks } from "./parse-checks.ts";
import { parseComment } from "./parse-comment.ts";
import { parseLabel } from "./parse-label.ts";
import { parseReview } from "./parse-review.ts";
import type { ParsedDelivery, Webhook } from "./webhook.ts";

/**
 * The delivery a webhook stands for, or why it stands for none: a label set or taken off, comments on
 * issues and on bots' pull requests, reviews of the bot's branches, ended checks on them. Pure; throws nothing.
 */
export function parseDelivery(webhook: Webhook): ParsedDelivery {
  switch (webhook.name) {
    case "issues":
      return parseLabel(webhook);
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
