import { z } from "zod";
import { fault, ok, type Verdict, warning } from "../findings.ts";
import type { Api } from "./ask.ts";

const permissionsShape = z.record(z.string(), z.string()).default({});

const appShape = z.object({
  id: z.number(),
  slug: z.string(),
  owner: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  permissions: permissionsShape,
  events: z.array(z.string()).default([]),
});

export interface AppExamined {
  readonly verdict: Verdict;
  /** absent when GitHub did not say which app it is */
  readonly app?: RegisteredApp;
}

/** The app as registered on GitHub. */
export interface RegisteredApp {
  readonly slug: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** the app's settings page; `/permissions` and `/advanced` can be appended */
  readonly settingsUrl: string;
  /** its installations */
  readonly installUrl: string;
}

/**
 * Checks that GitHub accepts the private key for APP_ID, and reads which app that is. See
 * https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app
 */
export async function checkApp(api: Api, appId: number, webUrl: string): Promise<AppExamined> {
  const answer = await api.read("/app", appShape);
  if ("refusal" in answer) {
    const { refusal, status } = answer;
    if (status !== 401 && status !== 404) {
      return { verdict: fault(`${refusal}.`, "Check GHE_HOST, the network and the proxy, or try again later.") };
    }
    return {
      verdict: fault(
        `${refusal}: APP_ID ${appId} and the private key do not fit together.`,
        "Take the App ID from the app's settings page; generate a new private key there if this one was deleted.",
      ),
    };
  }
  const { id, slug, owner, permissions, events } = answer.data;
  const group = owner?.type === "Organization" ? `/organizations/${owner.login}` : "";
  return {
    verdict: ok(`${slug} (${id})${owner ? ` of ${owner.login}` : ""}: the key is accepted.`),
    app: {
      slug,
      permissions,
      events,
      settingsUrl: `${webUrl}${group}/settings/apps/${slug}`,
      installUrl: `${webUrl}/apps/${slug}/installations/new`,
    },
  };
}

/** What the app needs (app.yml). */
export interface Manifest {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

/** Compares the registration's permissions with app.yml: reports missing ones and extra ones. */
export async function checkPermissions(app: RegisteredApp, manifest: Manifest): Promise<readonly Verdict[]> {
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
export async function checkEvents(app: RegisteredApp, manifest: Manifest): Promise<Verdict> {
  const missing = manifest.events.filter((event) => !app.events.includes(event));
  if (missing.length === 0) return ok("The app subscribes to every event that the bot acts on.");
  return fault(
    `The app does not subscribe to ${missing.join(", ")}.`,
    `Tick them under "Subscribe to events" at ${app.settingsUrl}/permissions.`,
  );
}

const MAX_INSTALLATIONS = 100;

const MAX_NAMED = 10;

const installationsShape = z.array(
  z.object({
    account: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullish(),
    suspended_at: z.string().nullish(),
    permissions: permissionsShape,
    html_url: z.string().default(""),
  }),
);

/** Lists the accounts that installed the app, and checks that they accepted the permissions the bot needs. */
export async function checkInstallations(
  api: Api,
  app: RegisteredApp,
  { permissions }: Manifest,
): Promise<Verdict | readonly Verdict[]> {
  const answer = await api.read(`/app/installations?per_page=${MAX_INSTALLATIONS}`, installationsShape);
  if ("refusal" in answer) return fault(`${answer.refusal}.`);
  const { data } = answer;
  if (data.length === 0) return fault("The app is installed nowhere.", `Install it: ${app.installUrl}`);
  // No account can accept a permission that the registration lacks.
  const offered = Object.fromEntries(
    Object.entries(permissions).filter(([name, level]) => rank(app.permissions[name]) >= rank(level)),
  );
  const nameOf = ({ account }: (typeof data)[number]) => account?.login ?? account?.slug ?? "an unknown account";
  const troubles = data.flatMap((one) => {
    const page = one.html_url || app.installUrl;
    if (one.suspended_at) {
      return [warning(`That of ${nameOf(one)} is suspended.`, `Its owner can lift the suspension: ${page}`)];
    }
    const missing = missingPermissions(offered, one.permissions);
    if (missing.length === 0) return [];
    const text = `${nameOf(one)} has not accepted new permissions: ${missing.join(", ")}.`;
    return [warning(text, `Its owner can accept them at ${page}`)];
  });
  const count = data.length === MAX_INSTALLATIONS ? `${MAX_INSTALLATIONS} or more` : data.length;
  const more = data.length > MAX_NAMED ? ", …" : "";
  return [ok(`${count}: ${data.slice(0, MAX_NAMED).map(nameOf).join(", ")}${more}.`), ...troubles];
}
