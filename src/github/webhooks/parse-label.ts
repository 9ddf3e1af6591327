import { deliveryBase } from "./delivery-base.ts";
import { describePayloadFault } from "./describe-payload-fault.ts";
import { labelPayload } from "./payload-shapes.ts";
import type { ParsedDelivery, Webhook } from "./webhook.ts";

/** A label was set, which may ask for a run, or taken off, which may end it. On open, unlocked issues. */
export function parseLabel({ id, payload }: Webhook): ParsedDelivery {
  const { data, error } = labelPayload.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const { action, label, issue } = data;
  if (issue.pull_request !== undefined && issue.pull_request !== null)
    return { ignored: "It is a pull request, not an issue." };
  if (action === "labeled" && issue.state !== "open") return { ignored: "The issue is not open." };
  if (action === "labeled" && issue.locked) return { ignored: "The issue is locked." };
  return {
    delivery: {
      ...deliveryBase(id, data),
      issue: issue.number,
      trigger: { kind: action === "labeled" ? "label" : "unlabel", label: label.name },
      ...(issue.title !== undefined && { text: { title: issue.title, body: issue.body ?? "" } }),
      at: issue.updated_at,
    },
  };
}
