import { z } from "zod";
import { type Finding, findingsOf } from "../findings.ts";
import { type Api, replyText } from "./ask.ts";

const appRegistration = findingsOf("app registration");

const shape = z.object({
  id: z.number(),
  slug: z.string(),
  owner: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  permissions: z.record(z.string(), z.string()).default({}),
  events: z.array(z.string()).default([]),
});

export interface AppExamined {
  readonly finding: Finding;
  /** absent where GitHub did not say who the app is */
  readonly app?: RegisteredApp;
}

/**
 * Whether GitHub takes the key as the one of APP_ID's app, and which app that is.
 * See https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app
 */
export async function checkApp(api: Api, appId: number, webUrl: string): Promise<AppExamined> {
  const reply = await api.get("/app");
  if ("silence" in reply) {
    return { finding: appRegistration.fault(`GitHub ${reply.silence}.`, "Check the network, the proxy and GHE_HOST.") };
  }
  if (reply.status === 401 || reply.status === 404) {
    return {
      finding: appRegistration.fault(
        `GitHub ${replyText(reply)}: APP_ID ${appId} and the private key do not fit together.`,
        "Take the App ID from the app's settings page; generate a new private key there if this one was deleted.",
      ),
    };
  }
  const { data } = shape.safeParse(reply.data);
  if (reply.status !== 200 || data === undefined) {
    return {
      finding: appRegistration.fault(
        `GitHub ${replyText(reply)} instead of the app.`,
        "Check GHE_HOST; try again later.",
      ),
    };
  }
  const owner = data.owner?.login;
  const finding = appRegistration.ok(
    `${data.slug} (${data.id})${owner === undefined ? "" : ` of ${owner}`}: the key is accepted.`,
  );
  const group = data.owner?.type === "Organization" ? `/organizations/${owner}` : "";
  return {
    finding,
    app: {
      slug: data.slug,
      permissions: data.permissions,
      events: data.events,
      settingsUrl: `${webUrl}${group}/settings/apps/${data.slug}`,
      installUrl: `${webUrl}/apps/${data.slug}/installations/new`,
    },
  };
}

/** The app as GitHub has it registered. */
export interface RegisteredApp {
  readonly slug: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** the app's settings page, to which `/permissions` and `/advanced` can be appended */
  readonly settingsUrl: string;
  /** where it is installed */
  readonly installUrl: string;
}

/** What the app is to be registered with (app.yml). */
export interface Manifest {
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

const appPermissions = findingsOf("app permissions");

/** The registration's permissions against those of app.yml: none may lack, and none should be there besides. */
export async function checkPermissions(app: RegisteredApp, manifest: Manifest): Promise<readonly Finding[]> {
  const page = `${app.settingsUrl}/permissions`;
  const missing = missingPermissions(manifest.permissions, app.permissions);
  const excess = missingPermissions(app.permissions, manifest.permissions);
  const findings = [
    ...(missing.length > 0
      ? [
          appPermissions.fault(
            `These are missing: ${missing.join(", ")}.`,
            `Grant them at ${page}; then each account that has the app must accept them.`,
          ),
        ]
      : []),
    ...(excess.length > 0
      ? [
          appPermissions.warning(
            `These are more than the bot needs: ${excess.join(", ")}.`,
            `Take them away at ${page}.`,
          ),
        ]
      : []),
  ];
  return findings.length > 0 ? findings : [appPermissions.ok("They are exactly those that the bot needs.")];
}

const RANK: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };

const rank = (level: string | undefined) => RANK[level ?? ""] ?? 0;

/** What of `needed` is not among `granted` or at a lower level, each as `checks: write`. */
function missingPermissions(
  needed: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(needed)
    .filter(([name, level]) => rank(granted[name]) < rank(level))
    .map(([name, level]) => `${name}: ${level}`);
}

const appEvents = findingsOf("app events");

/** The events that the registration subscribes to against those of app.yml; further ones are received and ignored. */
export async function checkEvents(app: RegisteredApp, manifest: Manifest): Promise<Finding> {
  const missing = manifest.events.filter((event) => !app.events.includes(event));
  if (missing.length === 0) return appEvents.ok("The app subscribes to every event that the bot acts on.");
  return appEvents.fault(
    `The app does not subscribe to ${missing.join(", ")}.`,
    `Tick them under "Subscribe to events" at ${app.settingsUrl}/permissions.`,
  );
}

const installationsFinding = findingsOf("installations");

const MAX_INSTALLATIONS = 100;

const MAX_NAMED = 10;

const installationsShape = z.array(
  z.object({
    account: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullish(),
    suspended_at: z.string().nullish(),
    permissions: z.record(z.string(), z.string()).default({}),
    html_url: z.string().default(""),
  }),
);

/** On which accounts the app is installed, and whether they have accepted the permissions that the bot needs. */
export async function checkInstallations(
  api: Api,
  app: RegisteredApp,
  manifest: Manifest,
): Promise<Finding | readonly Finding[]> {
  const reply = await api.get(`/app/installations?per_page=${MAX_INSTALLATIONS}`);
  const { data } = installationsShape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data)
    return installationsFinding.fault(`GitHub ${replyText(reply)}.`);
  if (data.length === 0)
    return installationsFinding.fault("The app is installed nowhere.", `Install it: ${app.installUrl}`);
  const names = data.map(({ account }) => account?.login ?? account?.slug ?? "an unknown account");
  const more = data.length > MAX_NAMED ? `, and ${data.length - MAX_NAMED} more` : "";
  const count = data.length === MAX_INSTALLATIONS ? `${MAX_INSTALLATIONS} or more` : String(data.length);
  // What the registration itself lacks no account can accept.
  const offered = Object.fromEntries(
    Object.entries(manifest.permissions).filter(
      ([name, level]) => missingPermissions({ [name]: level }, app.permissions).length === 0,
    ),
  );
  const troubles = data.flatMap((one, index) => {
    const where = names[index];
    if (one.suspended_at)
      return [
        installationsFinding.warning(`That of ${where} is suspended.`, `Its owner can lift that: ${one.html_url}`),
      ];
    const missing = missingPermissions(offered, one.permissions);
    if (missing.length === 0) return [];
    const text = `${where} has not accepted new permissions: ${missing.join(", ")}.`;
    return [installationsFinding.warning(text, `Its owner accepts them at ${one.html_url || app.installUrl}`)];
  });
  return [installationsFinding.ok(`${count}: ${names.slice(0, MAX_NAMED).join(", ")}${more}.`), ...troubles];
}
