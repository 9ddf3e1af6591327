import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import { fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import { type Api, type Ask, replyText } from "./ask.ts";
import type { RegisteredApp } from "./check-app.ts";

const hookShape = z.object({
  url: z.string().nullish(),
  content_type: z.string().nullish(),
  secret: z.string().nullish(),
  insecure_ssl: z.union([z.string(), z.number()]).nullish(),
});

export interface HookExamined {
  readonly verdicts: readonly Verdict[];
  /** where GitHub sends webhooks; absent when none is set */
  readonly url?: string;
}

/**
 * Checks the webhook's address, path, content type and secret as GitHub has them. GitHub does not say whether it is
 * active; its deliveries show that. See
 * https://docs.github.com/en/rest/apps/webhooks#get-a-webhook-configuration-for-an-app
 */
export async function checkHook(api: Api, app: RegisteredApp, webhookPath: string | undefined): Promise<HookExamined> {
  const answer = await api.read("/app/hook/config", hookShape);
  if ("refusal" in answer && answer.status !== 404) {
    return { verdicts: [fault(`${answer.refusal}.`, "Try again later.")] };
  }
  const data = "data" in answer ? answer.data : {};
  const url = data.url && URL.canParse(data.url) ? new URL(data.url) : undefined;
  if (url === undefined) {
    const remedy = `Enter the webhook at ${app.settingsUrl} and tick "Active".`;
    return { verdicts: [fault("The app has no webhook, or one without an address.", remedy)] };
  }
  const troubles = [...troublesOf(data, url, webhookPath, app.settingsUrl)];
  return { verdicts: troubles.length > 0 ? troubles : [ok(`${url.href}, as JSON, signed.`)], url: url.href };
}

function* troublesOf(
  data: z.output<typeof hookShape>,
  url: URL,
  path: string | undefined,
  page: string,
): Generator<Verdict> {
  if (path !== undefined && plainPath(url.pathname) !== plainPath(path)) {
    const text = `GitHub sends to the path ${url.pathname}, the bot listens on ${path}.`;
    yield fault(text, `Set WEBHOOK_PATH, or the webhook's address at ${page}.`);
  }
  if (data.content_type !== "json") {
    yield fault("The content type is not application/json; the bot refuses any other.", `Choose it at ${page}.`);
  }
  if (!data.secret) {
    const remedy = `Enter that of WEBHOOK_SECRET at ${page}.`;
    yield fault("No secret is set, so webhooks arrive unsigned and the bot refuses them.", remedy);
  }
  if (url.protocol !== "https:") {
    yield warning("The address is not https: others can read what GitHub sends.", "Put the bot behind TLS.");
  } else if (String(data.insecure_ssl ?? "0") === "1") {
    yield warning("GitHub does not check the address's certificate.", `Enable SSL verification at ${page}.`);
  }
}

/** The bot ignores trailing slashes. */
const plainPath = (path: string) => path.replace(/(?<!\/)\/+$/, "") || "/";

const LATEST = 30;

const deliveriesShape = z.array(
  z.object({ delivered_at: z.string(), status: z.string(), status_code: z.number(), event: z.string() }),
);

type Delivery = z.output<typeof deliveriesShape>[number];

const MEANINGS: Readonly<Record<number, readonly [meaning: string, remedy: string]>> = {
  0: ["nothing answered at the address", "Start the bot, and let GitHub reach it: address, firewall, proxy."],
  401: ["the signature was refused", "Enter the same secret as WEBHOOK_SECRET and in the app's settings."],
  403: ["a proxy or firewall in front of the bot refused it", "Let it pass GitHub's webhooks."],
  404: ["nothing is at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  405: ["nothing takes webhooks at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  413: ["a proxy takes no body as large", "Let the proxy pass bodies of 25 MB."],
  415: ["the content type is not JSON", "Choose application/json in the app's settings."],
  502: ["a proxy found no bot behind it", "Start the bot, and check where the proxy forwards requests."],
  504: ["the time ran out", "Look in the bot's log for what takes longer than 10 s."],
};

/**
 * Checks how the webhook's latest deliveries ended; GitHub keeps them for some days. See
 * https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 */
export async function checkDeliveries(api: Api, app: RegisteredApp): Promise<Verdict> {
  const answer = await api.read(`/app/hook/deliveries?per_page=${LATEST}`, deliveriesShape);
  if ("refusal" in answer) return skipped(`${answer.refusal}.`);
  const { data } = answer;
  const [latest] = data;
  if (latest === undefined) {
    return warning(
      "GitHub has sent nothing in recent days: either nothing happened or the webhook is inactive.",
      `See that "Active" is ticked at ${app.settingsUrl}.`,
    );
  }
  const failed = data.filter((one) => !isTaken(one));
  const [first] = failed;
  if (first === undefined) return ok(`The latest ${data.length} were taken, the last at ${latest.delivered_at}.`);
  const kinds = [...new Set(failed.map((one) => describe(one).text))].join("; ");
  const remedy = `${describe(first).remedy} Redeliver at ${app.settingsUrl}/advanced.`;
  const text = `${failed.length} of the latest ${data.length} failed: ${kinds}.`;
  return isTaken(latest) ? warning(`${text} The last was taken.`, remedy) : fault(text, remedy);
}

const isTaken = ({ status_code }: Delivery) => status_code >= 200 && status_code < 300;

function describe({ status, status_code: code }: Delivery) {
  const unknown = [code >= 500 ? "the bot could not keep it" : status, "See the bot's log at that time."] as const;
  const [meaning, remedy] = MEANINGS[/time/i.test(status) ? 504 : code] ?? unknown;
  return { text: code === 0 ? meaning : `${code}, ${meaning}`, remedy };
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
export async function checkReady(ask: Ask, origin: string): Promise<Verdict> {
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
