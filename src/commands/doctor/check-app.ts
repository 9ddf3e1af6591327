import type { Octokit } from "@octokit/rest";
import { fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import { askGithub } from "./ask.ts";

/** The app as registered on GitHub. */
export interface RegisteredApp {
  slug: string;
  permissions: Readonly<Record<string, string>>;
  events: readonly string[];
  /** the app's settings page; `/permissions` and `/advanced` can be appended */
  settingsUrl: string;
  /** its installations */
  installUrl: string;
}

/**
 * Checks that GitHub accepts the private key for APP_ID, and reads which app that is; `app` is absent when GitHub did
 * not say. See https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app
 * @param github a client that asks as the app
 */
export async function checkApp(
  github: Octokit,
  appId: number,
  webUrl: string,
): Promise<{ verdict: Verdict; app?: RegisteredApp }> {
  const answer = await askGithub("read the app", () => github.rest.apps.getAuthenticated());
  if ("refusal" in answer) {
    const { refusal, status } = answer;
    if (status !== 401 && status !== 404)
      return { verdict: fault(refusal, "Check GHE_HOST, the network and the proxy, or try again later.") };
    const remedy =
      "Take the App ID from the app's settings page; generate a new private key there if this one was deleted.";
    return { verdict: fault(`${refusal} APP_ID ${appId} and the private key do not fit together.`, remedy) };
  }
  const { id, slug = "", owner, permissions, events } = answer.data ?? {};
  const name = owner && "login" in owner ? owner.login : "an enterprise";
  const group = owner && "type" in owner && owner.type === "Organization" ? `/organizations/${name}` : "";
  return {
    verdict: ok(`${slug} (${id}) of ${name}: the key is accepted.`),
    app: {
      slug,
      permissions: permissions as Readonly<Record<string, string>>,
      events: events ?? [],
      settingsUrl: `${webUrl}${group}/settings/apps/${slug}`,
      installUrl: `${webUrl}/apps/${slug}/installations/new`,
    },
  };
}

/** What the app needs (app.yml). */
export interface Manifest {
  permissions: Readonly<Record<string, "read" | "write">>;
  events: readonly string[];
}

/** Compares the registration's permissions with app.yml: reports missing ones and extra ones. */
export function checkPermissions(app: RegisteredApp, manifest: Manifest): readonly Verdict[] {
  const page = `${app.settingsUrl}/permissions`;
  const missing = missingPermissions(manifest.permissions, app.permissions);
  const excess = missingPermissions(app.permissions, manifest.permissions);
  const verdicts: Verdict[] = [];
  if (missing.length > 0) {
    const remedy = `Grant them at ${page}; then each account that has the app must accept them.`;
    verdicts.push(fault(`These are missing: ${missing.join(", ")}.`, remedy));
  }
  if (excess.length > 0) {
    const text = `The app has more permissions than the bot needs: ${excess.join(", ")}.`;
    verdicts.push(warning(text, `Remove them at ${page}.`));
  }
  return verdicts.length > 0 ? verdicts : [ok("The app has exactly the permissions that the bot needs.")];
}

const RANK: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };

const rank = (level = "") => RANK[level] ?? 0;

/** The permissions in `needed` that `granted` lacks or has at a lower level, as `checks: write`. */
function missingPermissions(
  needed: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(needed)
    .filter(([name, level]) => rank(granted[name]) < rank(level))
    .map(([name, level]) => `${name}: ${level}`);
}

/** Checks that the app subscribes to app.yml's events. The bot ignores other events. */
export function checkEvents(app: RegisteredApp, manifest: Manifest): Verdict {
  const missing = manifest.events.filter((event) => !app.events.includes(event));
  if (missing.length === 0) return ok("The app subscribes to every event that the bot acts on.");
  return fault(
    `The app does not subscribe to ${missing.join(", ")}.`,
    `Tick them under "Subscribe to events" at ${app.settingsUrl}/permissions.`,
  );
}

const MAX_INSTALLATIONS = 100;

const MAX_NAMED = 10;

/** Lists the accounts that installed the app, and checks that they accepted the permissions the bot needs. */
export async function checkInstallations(
  github: Octokit,
  app: RegisteredApp,
  { permissions }: Manifest,
): Promise<readonly Verdict[]> {
  const answer = await askGithub("list the app's installations", () =>
    github.rest.apps.listInstallations({ per_page: MAX_INSTALLATIONS }),
  );
  if ("refusal" in answer) return [fault(answer.refusal)];
  const { data } = answer;
  if (data.length === 0) return [fault("The app is installed nowhere.", `Install it: ${app.installUrl}`)];
  // No account can accept a permission that the registration lacks.
  const offered = Object.fromEntries(
    Object.entries(permissions).filter(([name, level]) => rank(app.permissions[name]) >= rank(level)),
  );
  const nameOf = ({ account }: (typeof data)[number]) => {
    const { login, slug } = (account ?? {}) as { login?: string; slug?: string };
    return login ?? slug ?? "an unknown account";
  };
  const troubles = data.flatMap((one) => {
    const page = one.html_url || app.installUrl;
    if (one.suspended_at)
      return [warning(`That of ${nameOf(one)} is suspended.`, `Its owner can lift the suspension: ${page}`)];
    const missing = missingPermissions(offered, one.permissions as Readonly<Record<string, string>>);
    if (missing.length === 0) return [];
    const text = `${nameOf(one)} has not accepted new permissions: ${missing.join(", ")}.`;
    return [warning(text, `Its owner can accept them at ${page}`)];
  });
  const count = data.length === MAX_INSTALLATIONS ? `${MAX_INSTALLATIONS} or more` : data.length;
  const more = data.length > MAX_NAMED ? ", …" : "";
  return [ok(`${count}: ${data.slice(0, MAX_NAMED).map(nameOf).join(", ")}${more}.`), ...troubles];
}

/**
 * Checks the webhook's address, path, content type and secret as GitHub has them; `url` is where GitHub sends webhooks,
 * absent when none is set. GitHub does not say whether the webhook is active; its deliveries show that. See
 * https://docs.github.com/en/rest/apps/webhooks#get-a-webhook-configuration-for-an-app
 */
export async function checkHook(
  github: Octokit,
  { settingsUrl: page }: RegisteredApp,
  webhookPath: string | undefined,
): Promise<{ verdicts: readonly Verdict[]; url?: string }> {
  const answer = await askGithub("read the app's webhook", () => github.rest.apps.getWebhookConfigForApp());
  if ("refusal" in answer && answer.status !== 404) return { verdicts: [fault(answer.refusal, "Try again later.")] };
  const data = "data" in answer ? answer.data : {};
  const url = data.url && URL.canParse(data.url) ? new URL(data.url) : undefined;
  if (url === undefined) {
    const remedy = `Enter the webhook at ${page} and tick "Active".`;
    return { verdicts: [fault("The app has no webhook, or one without an address.", remedy)] };
  }
  const verdicts: Verdict[] = [];
  if (webhookPath !== undefined && plainPath(url.pathname) !== plainPath(webhookPath)) {
    const text = `GitHub sends to the path ${url.pathname}, the bot listens on ${webhookPath}.`;
    verdicts.push(fault(text, `Set WEBHOOK_PATH, or the webhook's address at ${page}.`));
  }
  if (data.content_type !== "json") {
    const text = "The content type is not application/json; the bot refuses any other.";
    verdicts.push(fault(text, `Choose it at ${page}.`));
  }
  if (!data.secret) {
    const text = "No secret is set, so webhooks arrive unsigned and the bot refuses them.";
    verdicts.push(fault(text, `Enter that of WEBHOOK_SECRET at ${page}.`));
  }
  if (url.protocol !== "https:") {
    verdicts.push(warning("The address is not https: others can read what GitHub sends.", "Put the bot behind TLS."));
  } else if (String(data.insecure_ssl ?? "0") === "1") {
    const text = "GitHub does not check the address's certificate.";
    verdicts.push(warning(text, `Enable SSL verification at ${page}.`));
  }
  return { verdicts: verdicts.length > 0 ? verdicts : [ok(`${url.href}, as JSON, signed.`)], url: url.href };
}

/** The bot ignores trailing slashes. */
const plainPath = (path: string) => path.replace(/(?<!\/)\/+$/, "") || "/";

const LATEST = 30;

const MEANINGS: Readonly<Record<number, readonly [meaning: string, remedy: string]>> = {
  0: ["nothing answered at the address", "Start the bot, and let GitHub reach it: address, firewall, proxy."],
  401: ["the signature was refused", "Enter the same secret as WEBHOOK_SECRET and in the app's settings."],
  404: ["nothing is at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  504: ["the time ran out", "Look in the bot's log for what takes longer than 10 s."],
};

/**
 * Checks how the webhook's latest deliveries ended; GitHub keeps them for some days. See
 * https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 */
export async function checkDeliveries(github: Octokit, { settingsUrl: page }: RegisteredApp): Promise<Verdict> {
  const answer = await askGithub("list the webhook's deliveries", () =>
    github.rest.apps.listWebhookDeliveries({ per_page: LATEST }),
  );
  if ("refusal" in answer) return skipped(answer.refusal);
  const { data } = answer;
  const [latest] = data;
  if (latest === undefined) {
    const text = "GitHub has sent nothing in recent days: either nothing happened or the webhook is inactive.";
    return warning(text, `See that "Active" is ticked at ${page}.`);
  }
  const failed = data.filter((one) => !isTaken(one));
  const [first] = failed;
  if (first === undefined) return ok(`The latest ${data.length} were taken, the last at ${latest.delivered_at}.`);
  const kinds = [...new Set(failed.map((one) => describe(one).text))].join("; ");
  const remedy = `${describe(first).remedy} Redeliver at ${page}/advanced.`;
  const text = `${failed.length} of the latest ${data.length} failed: ${kinds}.`;
  return isTaken(latest) ? warning(`${text} The last was taken.`, remedy) : fault(text, remedy);
}

interface Delivery {
  status: string;
  status_code: number;
}

const isTaken = ({ status_code: code }: Delivery) => code >= 200 && code < 300;

function describe({ status, status_code: code }: Delivery) {
  const unknown = [code >= 500 ? "the bot could not keep it" : status, "See the bot's log at that time."] as const;
  const [meaning, remedy] = MEANINGS[/time/i.test(status) ? 504 : code] ?? unknown;
  return { text: code === 0 ? meaning : `${code}, ${meaning}`, remedy };
}
