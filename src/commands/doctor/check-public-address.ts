import { allowsSignIn, callbackOf, DASHBOARD_PATH } from "../../data/dashboard-path.ts";
import { fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import { type Ask, replyText } from "./ask.ts";
import type { RegisteredApp } from "./check-app.ts";

/** Compares MAGIS_URL with the address to which GitHub sends webhooks; they may differ, though rarely on purpose. */
export async function checkPublicAddress(publicUrl: string, hookUrl: string): Promise<Verdict> {
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
export async function checkSignInAddress(publicUrl: string, { settingsUrl }: RegisteredApp): Promise<Verdict> {
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
