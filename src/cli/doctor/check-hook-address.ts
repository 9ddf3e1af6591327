import { isIP } from "node:net";
import type { Ask } from "./ask.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const { ok, warning, fault } = findingsOf("webhook address");
const OWN = /^(localhost|.*\.(local|localhost|internal|test)|0\.0\.0\.0|\[::1?\])$/i;
const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/;

/** Whether the host that GitHub sends to answers, and whether the bot behind it can work. `hookUrl` is the webhook's. */
export async function checkHookAddress(ask: Ask, hookUrl: string, onGithubCom: boolean): Promise<Finding> {
  const { origin, hostname } = new URL(hookUrl);
  if (onGithubCom && (OWN.test(hostname) || (isIP(hostname) === 4 && PRIVATE.test(hostname)))) {
    return fault(
      `GitHub cannot reach ${hostname}, which is an address inside of a network.`,
      "Give the webhook a public address.",
    );
  }
  const alive = await ask(`${origin}/healthz`);
  if ("silence" in alive) {
    return fault(
      `${origin} ${alive.silence}.`,
      "Start the bot and what stands in front of it; check DNS, firewall and certificate.",
    );
  }
  if (alive.status !== 200) return warning(`${origin} answers, but not for /healthz: it ${replyText(alive)}.`, PASSED);
  const ready = await ask(`${origin}/readyz`);
  if ("status" in ready && ready.status === 200) return ok(`${origin} answers, and the bot can work.`);
  return fault(`The bot at ${origin} is not ready: /readyz ${replyText(ready)}.`, "See its log: database or start.");
}

const PASSED =
  "That is well where only the webhook's path is passed on to the bot; else check where the address leads.";
