import type { Delivery } from "../model/delivery.ts";
import { isMagisError } from "../model/magis-error.ts";
import type { Reaction } from "../ports/issue-api.ts";
import type { AdmissionHost } from "./guard.ts";

/** Reacts to the comment that asked, or to the issue. A reaction that the host refuses must not keep a run from starting. */
export async function acknowledge(
  { trigger, issue }: Delivery,
  host: Pick<AdmissionHost, "react">,
  reaction: Reaction,
): Promise<void> {
  try {
    await host.react("commentId" in trigger ? { comment: trigger.commentId } : { issue }, reaction);
  } catch (error) {
    if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND", "HOST_UNREACHABLE")) throw error;
  }
}
