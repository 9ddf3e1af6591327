import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { type Finding, findingsOf } from "../findings.ts";
import { type Api, type Ask, replyText } from "./ask.ts";
import type { RegisteredApp } from "./check-app.ts";

const webhookSettings = findingsOf("webhook settings");

const shape = z.object({
  url: z.string().nullish(),
  content_type: z.string().nullish(),
  secret: z.string().nullish(),
  insecure_ssl: z.union([z.string(), z.number()]).nullish(),
});

export interface HookExamined {
  readonly findings: readonly Finding[];
  /** where GitHub sends webhooks; absent where there is none */
  readonly url?: string;
}

/**
 * The webhook's address, path, content type and secret as GitHub has them. Whether it is ticked as active GitHub does
 * not tell an app; that shows in its deliveries.
 * See https://docs.github.com/en/rest/apps/webhooks#get-a-webhook-configuration-for-an-app
 */
export async function checkHook(api: Api, app: RegisteredApp, webhookPath: string | undefined): Promise<HookExamined> {
  const reply = await api.get("/app/hook/config");
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  const remedy = `Enter the webhook at ${app.settingsUrl} and tick "Active".`;
  if ("status" in reply && reply.status === 404)
    return { findings: [webhookSettings.fault("The app has no webhook.", remedy)] };
  if ("silence" in reply || reply.status !== 200 || !data) {
    return {
      findings: [webhookSettings.fault(`GitHub ${replyText(reply)} instead of the settings.`, "Try again later.")],
    };
  }
  const url = data.url && URL.canParse(data.url) ? new URL(data.url) : undefined;
  if (url === undefined) return { findings: [webhookSettings.fault("The webhook has no address.", remedy)] };
  const findings = [...faultsOf(data, url, webhookPath, app.settingsUrl)];
  return {
    findings: findings.length > 0 ? findings : [webhookSettings.ok(`${url.href}, as JSON, signed.`)],
    url: url.href,
  };
}

function* faultsOf(data: z.output<typeof shape>, url: URL, path: string | undefined, page: string): Generator<Finding> {
  if (path !== undefined && !samePath(url.pathname, path)) {
    yield webhookSettings.fault(
      `GitHub sends to the path ${url.pathname}, the bot listens on ${path}.`,
      `Set WEBHOOK_PATH, or the webhook's address at ${page}.`,
    );
  }
  if (data.content_type !== "json") {
    yield webhookSettings.fault(
      "The content type is not application/json: the bot refuses the rest.",
      `Choose it at ${page}.`,
    );
  }
  if (!data.secret) {
    yield webhookSettings.fault(
      "No secret is set: webhooks come unsigned and are refused.",
      `Enter that of WEBHOOK_SECRET at ${page}.`,
    );
  }
  if (url.protocol !== "https:") {
    yield webhookSettings.warning(
      "The address is not https: what GitHub sends can be read on the way.",
      "Put the bot behind TLS.",
    );
  } else if (String(data.insecure_ssl ?? "0") === "1") {
    yield webhookSettings.warning(
      "GitHub does not check the address's certificate.",
      `Enable SSL verification at ${page}.`,
    );
  }
}

/** Whether the bot takes both for the same path: slashes at the end do not count. */
function samePath(one: string, other: string): boolean {
  const plain = (path: string) => path.replace(/\/+$/, "") || "/";
  return plain(one) === plain(other);
}

const webhookAddress = findingsOf("webhook address");

const OWN = /^(localhost|.*\.(local|localhost|internal|test)|0\.0\.0\.0|\[::1?\])$/i;

const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/;

/** Whether the host that GitHub sends to answers, and whether the bot behind it can work. `hookUrl` is the webhook's. */
export async function checkHookAddress(ask: Ask, hookUrl: string, onGithubCom: boolean): Promise<Finding> {
  const { origin, hostname } = new URL(hookUrl);
  if (onGithubCom && (OWN.test(hostname) || (isIP(hostname) === 4 && PRIVATE.test(hostname)))) {
    return webhookAddress.fault(
      `GitHub cannot reach ${hostname}, which is an address inside of a network.`,
      "Give the webhook a public address.",
    );
  }
  const alive = await ask(`${origin}/healthz`);
  if ("silence" in alive) {
    return webhookAddress.fault(
      `${origin} ${alive.silence}.`,
      "Start the bot and what stands in front of it; check DNS, firewall and certificate.",
    );
  }
  if (alive.status !== 200)
    return webhookAddress.warning(`${origin} answers, but not for /healthz: it ${replyText(alive)}.`, PASSED);
  const ready = await ask(`${origin}/readyz`);
  if ("status" in ready && ready.status === 200) return webhookAddress.ok(`${origin} answers, and the bot can work.`);
  return webhookAddress.fault(
    `The bot at ${origin} is not ready: /readyz ${replyText(ready)}.`,
    "See its log: database or start.",
  );
}

const PASSED =
  "That is well where only the webhook's path is passed on to the bot; else check where the address leads.";

const webhookSignature = findingsOf("webhook signature");

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
    return webhookSignature.fault(`${hookUrl} ${signed.silence}.`, "Start the bot; check where the address leads.");
  }
  if (signed.status === 401) {
    return webhookSignature.fault(
      "The bot at the webhook's address refuses what is signed with this WEBHOOK_SECRET: it has another.",
      "Start the bot again with this configuration, or look at the configuration it has.",
    );
  }
  if (signed.status >= 300 && signed.status < 400) {
    return webhookSignature.fault(
      `${hookUrl} redirects, which GitHub does not follow.`,
      "Enter the address it leads to.",
    );
  }
  if (signed.status !== 200) {
    return webhookSignature.fault(
      `A signed ping to ${hookUrl} is not taken: it ${replyText(signed)}.`,
      "Check where the address leads.",
    );
  }
  if ("status" in forged && forged.status === 401) {
    return webhookSignature.ok("A signed ping is taken, one with a wrong signature refused.");
  }
  if ("status" in forged && forged.status < 300) {
    return webhookSignature.warning(
      "What answers at the address takes a wrong signature too: it is not the bot itself.",
      "That is well for a service that passes webhooks on, such as smee.io; else check where the address leads.",
    );
  }
  return webhookSignature.warning(`A signed ping is taken; one with a wrong signature ${replyText(forged)}.`);
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
