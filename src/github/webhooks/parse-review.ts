import { OWN_BRANCH } from "../../model/own-branch.ts";
import { deliveryBase } from "./delivery-base.ts";
import { describePayloadFault } from "./describe-payload-fault.ts";
import { reviewPayload } from "./payload-shapes.ts";
import type { ParsedDelivery, Webhook } from "./webhook.ts";

/** A person's review of the bot's pull request, or a comment in one of its threads. */
export function parseReview({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = reviewPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { pull_request: pull } = data;
  if (pull.state !== "open") return { ignored: "The pull request is closed." };
  if (pull.user?.type !== "Bot" || !OWN_BRANCH.test(pull.head.ref))
    return { ignored: "It is not the bot's pull request." };
  const base = deliveryBase(id, data);
  if (base.actorIsBot) return { ignored: "A bot's review." };
  return { delivery: { ...base, issue: pull.number, trigger: { kind: "review" }, at: pull.updated_at } };
}
