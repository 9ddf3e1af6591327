import type { GuardContext, Refusal } from "./guard.ts";

/** The issue, read afresh: time may have passed since the webhook, and a redelivery can be days old. */
export async function requireOpenIssue({ readIssue }: GuardContext): Promise<Refusal | undefined> {
  const issue = await readIssue();
  if (!issue) return { reason: "The issue is gone." };
  if (issue.isPullRequest) return { reason: "It is a pull request, not an issue." };
  if (!issue.open) return { reason: "The issue is closed." };
  if (issue.locked) return { reason: "The issue is locked." };
  return undefined;
}
