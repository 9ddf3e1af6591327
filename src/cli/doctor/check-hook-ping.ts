import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Ask } from "./ask.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const { ok, warning, fault } = findingsOf("webhook signature");
const BODY = JSON.stringify({ zen: "Anything added dilutes everything else." });

/**
 * A ping to the webhook's address, which the bot takes and does nothing for: signed with the secret it must be taken,
 * signed with another it must be refused.
 */
export async function checkHookPing(ask: Ask, hookUrl: string, secret: string): Promise<Finding> {
  const [signed, forged] = await Promise.all([
    ask(hookUrl, pingOf(secret)),
    ask(hookUrl, pingOf(randomBytes(32).toString("hex"))),
  ]);
  if ("silence" in signed) {
    return fault(`${hookUrl} ${signed.silence}.`, "Start the bot; check where the address leads.");
  }
  if (signed.status === 401) {
    return fault(
      "The bot at the webhook's address refuses what is signed with this WEBHOOK_SECRET: it has another.",
      "Start the bot again with this configuration, or look at the configuration it has.",
    );
  }
  if (signed.status >= 300 && signed.status < 400) {
    return fault(`${hookUrl} redirects, which GitHub does not follow.`, "Enter the address it leads to.");
  }
  if (signed.status !== 200) {
    return fault(
      `A signed ping to ${hookUrl} is not taken: it ${replyText(signed)}.`,
      "Check where the address leads.",
    );
  }
  if ("status" in forged && forged.status === 401) {
    return ok("A signed ping is taken, one with a wrong signature refused.");
  }
  if ("status" in forged && forged.status < 300) {
    return warning(
      "What answers at the address takes a wrong signature too: it is not the bot itself.",
      "That is well for a service that passes webhooks on, such as smee.io; else check where the address leads.",
    );
  }
  return warning(`A signed ping is taken; one with a wrong signature ${replyText(forged)}.`);
}

function pingOf(secret: string) {
  return {
    method: "POST" as const,
    headers: {
      "content-type": "application/json",
      "x-github-event": "ping",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(BODY).digest("hex")}`,
    },
    body: BODY,
  };
}
