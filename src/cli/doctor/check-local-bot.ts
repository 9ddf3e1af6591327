import type { Ask } from "./ask.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const { ok, warning, fault, skipped } = findingsOf("bot on this machine");

/** Whether the bot runs at HOST and PORT and can work. It may run elsewhere, so that silence is no fault. */
export async function checkLocalBot(ask: Ask, host: string, port: number): Promise<Finding> {
  if (port === 0) return skipped("PORT is 0, so that only the bot's log tells where it listens.");
  const origin = `http://${reachable(host)}:${port}`;
  const alive = await ask(`${origin}/healthz`);
  if ("silence" in alive) {
    return warning(`The bot does not run here: ${origin} ${alive.silence}.`, "Run npm start, if it is to run here.");
  }
  if (alive.status !== 200 || alive.text.trim() !== "ok") {
    return fault(`Another program has ${origin}: /healthz ${replyText(alive)}.`, "Stop it, or set PORT to another.");
  }
  const ready = await ask(`${origin}/readyz`);
  if ("status" in ready && ready.status === 200) return ok(`It runs at ${origin} and can work.`);
  return fault(
    `It runs at ${origin} but is not ready: /readyz ${replyText(ready)}.`,
    "See its log: database or start.",
  );
}

/** The address of every interface is none to connect to. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
