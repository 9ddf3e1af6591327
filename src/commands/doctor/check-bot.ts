import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { allowsSignIn, callbackOf, DASHBOARD_PATH } from "../../data/dashboard-path.ts";
import type { BotCommands } from "../bot-commands.ts";
import { fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import { type Ask, replyText } from "./ask.ts";
import type { RegisteredApp } from "./check-app.ts";

/** Checks the bot at HOST and PORT. No answer is not a fault: the bot may run elsewhere. */
export async function checkLocalBot(
  ask: Ask,
  { host, port }: { host: string; port: number },
  { toStart }: Pick<BotCommands, "toStart">,
): Promise<Verdict> {
  if (port === 0) return skipped("PORT is 0, so only the bot's log says which port it listens on.");
  const origin = `http://${reachable(host)}:${port}`;
  const alive = await ask(`${origin}/healthz`);
  if ("silence" in alive) {
    return warning(`The bot does not run here: ${origin} ${alive.silence}.`, `If it is to run here: ${toStart}`);
  }
  if (alive.status !== 200 || alive.text.trim() !== "ok") {
    return fault(
      `Another program has ${origin}: /healthz ${replyText(alive)}.`,
      "Stop it, or set PORT to a free port.",
    );
  }
  return checkReady(ask, origin);
}

/** The wildcard address listens on every interface, but nobody can connect to it. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

const OWN = /^(localhost|.*\.(local|localhost|internal|test)|0\.0\.0\.0|\[::1?\])$/i;

const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/;

/** Checks that the webhook's host (`hookUrl`) answers, and that the bot behind it is ready. */
export async function checkHookAddress(ask: Ask, hookUrl: string, onGithubCom: boolean): Promise<Verdict> {
  const { origin, hostname } = new URL(hookUrl);
  if (onGithubCom && (OWN.test(hostname) || (isIP(hostname) === 4 && PRIVATE.test(hostname)))) {
    const text = `GitHub cannot reach ${hostname}, which is a private address.`;
    return fault(text, "Give the webhook a public address.");
  }
  const alive = await ask(`${origin}/healthz`);
  if ("silence" in alive) {
    const remedy = "Start the bot and its proxy; check DNS, firewall and certificate.";
    return fault(`${origin} ${alive.silence}.`, remedy);
  }
  if (alive.status === 200) return checkReady(ask, origin);
  return warning(
    `${origin} answers, but not for /healthz: it ${replyText(alive)}.`,
    "That is fine if the proxy forwards only the webhook's path; otherwise check where the address leads.",
  );
}

/** Checks that the bot at `origin` is ready. */
async function checkReady(ask: Ask, origin: string): Promise<Verdict> {
  const ready = await ask(`${origin}/readyz`);
  if ("status" in ready && ready.status === 200) return ok(`The bot at ${origin} can work.`);
  return fault(
    `The bot at ${origin} is not ready: /readyz ${replyText(ready)}.`,
    "Its log says whether the database or the start failed.",
  );
}

const BODY = JSON.stringify({ zen: "Anything added dilutes everything else." });

/**
 * Sends a ping to the webhook's address. The bot does nothing for a ping, but must accept the right secret and refuse a
 * wrong one.
 */
export async function checkHookPing(ask: Ask, hookUrl: string, secret: string): Promise<Verdict> {
  const [signed, forged] = await Promise.all([
    ask(hookUrl, pingOf(secret)),
    ask(hookUrl, pingOf(randomBytes(32).toString("hex"))),
  ]);
  if ("status" in signed && signed.status === 401) {
    return fault(
      "The bot at the webhook's address refuses this WEBHOOK_SECRET: it has a different one.",
      "Restart the bot with this configuration, or compare it with the bot's own.",
    );
  }
  if ("status" in signed && signed.status >= 300 && signed.status < 400) {
    return fault(`${hookUrl} redirects, which GitHub does not follow.`, "Enter the address it leads to.");
  }
  if ("silence" in signed || signed.status !== 200) {
    const text = `A signed ping to ${hookUrl} is not taken: it ${replyText(signed)}.`;
    return fault(text, "Start the bot; check where the address leads.");
  }
  const forgedStatus = "status" in forged ? forged.status : 0;
  if (forgedStatus === 401) return ok("The bot accepts a signed ping and refuses one with a wrong signature.");
  if (forgedStatus < 200 || forgedStatus >= 300) {
    return warning(`A signed ping is taken; one with a wrong signature ${replyText(forged)}.`);
  }
  return warning(
    "The server at this address accepts a wrong signature too, so it is not the bot itself.",
    "That is fine for a relay such as smee.io; otherwise check where the address leads.",
  );
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

/** Compares MAGIS_URL with the address to which GitHub sends webhooks; they may differ, though rarely on purpose. */
export function checkPublicAddress(publicUrl: string, hookUrl: string): Verdict {
  const own = new URL(publicUrl).origin;
  const hook = new URL(hookUrl).origin;
  if (own === hook) return ok(`${own}, where GitHub sends webhooks, too.`);
  const text = `MAGIS_URL leads to ${own}, and GitHub sends webhooks to ${hook}.`;
  return warning(
    text,
    "That is fine if both lead to the bot, or webhooks come through a relay; otherwise correct one.",
  );
}

/** Checks that people can sign in at MAGIS_URL, and names what GitHub's API does not tell: the callback URL. */
export function checkSignInAddress(publicUrl: string, { settingsUrl }: RegisteredApp): Verdict {
  const url = new URL(publicUrl);
  if (!allowsSignIn(url)) {
    const text = `MAGIS_URL is ${url.origin}: browsers keep a sign-in over https only, so the bot does not start.`;
    return fault(text, "Put the bot behind TLS, and begin MAGIS_URL with https://.");
  }
  const callback = callbackOf(url.origin);
  return ok(
    `GitHub's API does not tell the app's callback URLs: see that ${callback} is one of them at ${settingsUrl}.`,
  );
}

/** Checks that the running bot shows its dashboard at MAGIS_URL. */
export async function checkDashboardPage(ask: Ask, publicUrl: string): Promise<Verdict> {
  const { href } = new URL(DASHBOARD_PATH, publicUrl);
  if (!allowsSignIn(new URL(publicUrl))) return skipped("It needs https.");
  const page = await ask(href);
  // 401: the page that asks people to sign in.
  if ("status" in page && (page.status === 200 || page.status === 401)) return ok(`${href} answers.`);
  const remedy = "Start the bot; check DNS, firewall and certificate, and that the proxy forwards this path.";
  return fault("silence" in page ? `${href} ${page.silence}.` : `${href}: it ${replyText(page)}.`, remedy);
}
