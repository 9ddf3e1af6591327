import type { Ask } from "./ask.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, warning, fault, skipped } = findingsOf("clock");
/** GitHub refuses a JWT that was issued more than a minute in its future. */
const MAX_SECONDS = 60;
const NOTICED_SECONDS = 20;

/** How far this machine's clock is from GitHub's, by the Date header, which knows whole seconds. */
export async function checkClock(ask: Ask, apiUrl: string, now: () => number = Date.now): Promise<Finding> {
  const before = now();
  const reply = await ask(`${apiUrl}/meta`);
  if ("silence" in reply) return fault(`${apiUrl} ${reply.silence}.`, "Check the network, the proxy and GHE_HOST.");
  const theirs = Date.parse(reply.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return skipped(`${apiUrl} does not say what time it is.`);
  const seconds = Math.round(((before + now()) / 2 - theirs) / 1000);
  const off = `It is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} GitHub's`;
  const remedy = "Let the system set its clock by NTP.";
  if (Math.abs(seconds) > MAX_SECONDS) return fault(`${off}: the app's tokens are refused from 60 s on.`, remedy);
  if (Math.abs(seconds) > NOTICED_SECONDS) return warning(`${off}.`, remedy);
  return ok("It agrees with GitHub's.");
}
