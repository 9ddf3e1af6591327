import path from "node:path";
import { z } from "zod";
import type { InspectedConfig } from "../../config/environment/inspect-config.ts";
import type { TokenUsage } from "../../model/spend.ts";
import { type BotCommands, type Check, type Finding, findingsOf } from "../findings.ts";
import { type Api, type Ask, createApi, replyText } from "./ask.ts";
import { checkApp, checkEvents, checkInstallations, checkPermissions, type RegisteredApp } from "./check-app.ts";
import { checkDatabase, type DatabaseState } from "./check-database.ts";
import {
  checkClock,
  checkConfiguration,
  checkDiskSpace,
  checkEnvFile,
  checkFileRights,
  checkLocalBot,
  checkNode,
} from "./check-local.ts";
import { checkCall, checkModel, checkModelCall, checkPrices } from "./check-model.ts";
import { checkHook, checkHookAddress, checkHookPing } from "./check-webhook.ts";
import { type GithubParts, repositoryFindings } from "./list-repository-checks.ts";

interface LocalParts {
  readonly inspected: InspectedConfig;
  /** path of the file with the environment's variables */
  readonly envFile: string;
  /** the state of the configured database */
  readonly databaseState: () => Promise<DatabaseState>;
  readonly commands: BotCommands;
}

/** The checks of this machine: runtime, configuration, files and database. */
export function localChecks({ inspected, envFile, databaseState, commands }: LocalParts): readonly Check[] {
  const { database } = inspected.config;
  const located = inspected.sound("DATABASE_URL", "MAGIS_DATA_DIR");
  return [
    { name: "Node.js", run: () => checkNode(process.version) },
    { name: "configuration", run: () => checkConfiguration(inspected, commands) },
    { name: ".env file", run: () => checkEnvFile(path.resolve(envFile)) },
    { name: ".env file", run: () => checkFileRights(".env file", path.resolve(envFile)) },
    { name: "private key file", run: () => checkFileRights("private key file", inspected.keyFile) },
    ...(located && database.url === undefined
      ? [{ name: "data directory", run: () => checkDiskSpace(database.dataDir) }]
      : []),
    ...(located ? [{ name: "database", run: async () => checkDatabase(await databaseState()) }] : []),
  ];
}

interface BotParts extends GithubParts {
  /** true: the bot has not been started yet, so that neither it nor what GitHub sends it is looked for */
  readonly beforeStart?: boolean;
  readonly commands: BotCommands;
}

/** The checks of GitHub, the webhook and the bot behind it. Those that need an answer of another's wait for it. */
export function githubChecks(parts: BotParts): readonly Check[] {
  const { inspected, ask, beforeStart, commands } = parts;
  const { github, server } = inspected.config;
  const checks: Check[] = [];
  if (inspected.sound("GHE_HOST", "GHE_PROTOCOL")) {
    checks.push({ name: "clock", run: () => checkClock(ask, github.apiUrl) });
  }
  if (!beforeStart && inspected.sound("HOST", "PORT")) {
    checks.push({ name: "bot on this machine", run: () => checkLocalBot(ask, server, commands) });
  }
  if (inspected.sound("APP_ID", "PRIVATE_KEY", "GHE_HOST", "GHE_PROTOCOL")) return [...checks, ...appChecks(parts)];
  const { skipped } = findingsOf("app registration");
  const text = "This, the webhook and the installations need APP_ID and the private key.";
  return [...checks, { name: "app registration", run: async () => skipped(text) }];
}

function appChecks(parts: BotParts): readonly Check[] {
  const { inspected, ask, manifest, repository, beforeStart } = parts;
  const { github, server } = inspected.config;
  const api = createApi(ask, github.apiUrl, async () => {
    const { createAppAuth } = await import("@octokit/auth-app");
    return (await createAppAuth({ appId: github.appId, privateKey: github.privateKey })({ type: "app" })).token;
  });
  const examined = checkApp(api, github.appId, github.webUrl);
  const withApp = (name: string, run: (app: RegisteredApp) => ReturnType<Check["run"]>): Check => ({
    name,
    run: async () => {
      const { app } = await examined;
      return app === undefined ? findingsOf(name).skipped("It needs an app that GitHub knows.") : run(app);
    },
  });
  const path = inspected.sound("WEBHOOK_PATH") ? server.webhookPath : undefined;
  const hook = examined.then(({ app }) => (app === undefined ? undefined : checkHook(api, app, path)));
  // What fails here is told by the checks that wait for it; until they do, it must not end the process.
  for (const one of [examined, hook]) one.catch(() => undefined);
  const withHook = (name: string, run: (url: string) => ReturnType<Check["run"]>): Check => ({
    name,
    run: async () => {
      const url = (await hook)?.url;
      return url === undefined ? findingsOf(name).skipped("It needs the webhook's address.") : run(url);
    },
  });
  const onGithubCom = github.webUrl === "https://github.com";
  const secret = inspected.sound("WEBHOOK_SECRET") ? github.webhookSecret : undefined;
  const ofRunningBot = [
    withApp("webhook deliveries", (app) => checkDeliveries(api, app)),
    withHook("webhook address", (url) => checkHookAddress(ask, url, onGithubCom)),
    withHook("webhook signature", async (url) =>
      secret === undefined
        ? findingsOf("webhook signature").skipped("It needs WEBHOOK_SECRET.")
        : checkHookPing(ask, url, secret),
    ),
  ];
  return [
    { name: "app registration", run: async () => (await examined).finding },
    withApp("app permissions", (app) => checkPermissions(app, manifest)),
    withApp("app events", (app) => checkEvents(app, manifest)),
    withApp("webhook settings", async () => (await hook)?.findings ?? []),
    ...(beforeStart ? [] : ofRunningBot),
    withApp("installations", (app) => checkInstallations(api, app, manifest)),
    ...(repository === undefined
      ? []
      : [withApp("repository", (app) => repositoryFindings({ ...parts, repository, api, app }))]),
  ];
}

const ANTHROPIC = "https://api.anthropic.com";

const TIERS = [
  ["MAGIS_MODEL_FAST", "fast"],
  ["MAGIS_MODEL_STRONG", "strong"],
] as const;

/** One tiny call of the model `name`, as a run would make it. Throws what a LanguageModel throws. */
export type TryModel = (name: string) => Promise<{ readonly usage: TokenUsage; readonly money: number }>;

/**
 * The checks of the models: prices always, then what is asked of the provider, which costs only with `paid`. Other providers
 * than Anthropic's own API are asked by `tryModel` alone.
 */
export function modelChecks(
  { config: { model }, sound }: InspectedConfig,
  ask: Ask,
  extent: "none" | "free" | "paid",
  tryModel: TryModel,
  { magis }: Pick<BotCommands, "magis">,
): readonly Check[] {
  const tiers = TIERS.filter(([variable]) => sound(variable));
  const names = tiers.map(([, tier]) => model.models[tier]);
  const prices: Check[] = sound("MAGIS_PRICES")
    ? [{ name: "model prices", run: () => checkPrices(names, model.prices) }]
    : [];
  if (extent === "none") return prices;
  const { skipped } = findingsOf("models");
  const skip = (text: string) => [...prices, { name: "models", run: async () => skipped(text) }];
  if (!sound("MAGIS_PROVIDER", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")) {
    return skip("They need a key and an address that can be read.");
  }
  if (model.provider !== "anthropic") {
    if (extent === "free")
      return skip(`${model.provider} is asked by ${magis} doctor --call only: one tiny call a model.`);
    return [
      ...prices,
      ...[...new Set(names)].map((name) => ({ name: `call of ${name}`, run: () => checkCall(name, tryModel) })),
    ];
  }
  const baseUrl = (model.baseUrl ?? ANTHROPIC).replace(/\/+$/, "");
  const access = { ask, apiKey: model.apiKey ?? "", baseUrl };
  const free = tiers.map(([variable, tier]) => ({
    name: `model of ${variable}`,
    run: () => checkModel(access, variable, model.models[tier], magis),
  }));
  const paid = [...new Set(names)].map((name) => ({
    name: `call of ${name}`,
    run: () => checkModelCall(access, name, Object.hasOwn(model.prices, name) ? model.prices[name] : undefined),
  }));
  return [...prices, ...free, ...(extent === "paid" ? paid : [])];
}

const { ok, warning, fault, skipped } = findingsOf("webhook deliveries");

const LATEST = 30;

const shape = z.array(
  z.object({ delivered_at: z.string(), status: z.string(), status_code: z.number(), event: z.string() }),
);

type Delivery = z.output<typeof shape>[number];

const MEANINGS: Readonly<Record<number, readonly [meaning: string, remedy: string]>> = {
  0: ["nothing answered at the address", "Start the bot, and let GitHub reach it: address, firewall, proxy."],
  401: ["the signature was refused", "Enter the same secret as WEBHOOK_SECRET and in the app's settings."],
  403: ["a proxy or firewall in front of the bot refused it", "Let it pass GitHub's webhooks."],
  404: ["nothing is at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  405: ["nothing takes webhooks at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  413: ["a proxy takes no body as large", "Let the proxy pass bodies of 25 MB."],
  415: ["the content type is not JSON", "Choose application/json in the app's settings."],
  502: ["a proxy found no bot behind it", "Start the bot; check where the proxy sends to."],
  504: ["the time ran out", "See in the bot's log what keeps it longer than 10 s."],
};

/**
 * How the latest deliveries of the webhook ended, as GitHub keeps them for some days.
 * See https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 */
export async function checkDeliveries(api: Api, app: RegisteredApp): Promise<Finding> {
  const reply = await api.get(`/app/hook/deliveries?per_page=${LATEST}`);
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) return skipped(`GitHub ${replyText(reply)}.`);
  const page = `${app.settingsUrl}/advanced`;
  const [latest] = data;
  if (latest === undefined) {
    return warning(
      "GitHub has sent nothing in the last days: nothing happened, or the webhook is not active.",
      `See that "Active" is ticked at ${app.settingsUrl}.`,
    );
  }
  const failed = data.filter((one) => !succeeded(one));
  if (failed.length === 0) return ok(`The latest ${data.length} were taken, the last at ${latest.delivered_at}.`);
  const kinds = [...new Set(failed.map((one) => describe(one)[0]))].join("; ");
  const remedy = `${describe(failed[0] ?? latest)[1]} Redeliver at ${page}.`;
  const text = `${failed.length} of the latest ${data.length} failed: ${kinds}.`;
  return succeeded(latest) ? warning(`${text} The last was taken.`, remedy) : fault(text, remedy);
}

function succeeded({ status_code }: Delivery): boolean {
  return status_code >= 200 && status_code < 300;
}

function describe({ status, status_code }: Delivery): readonly [text: string, remedy: string] {
  const late = /time/i.test(status) ? MEANINGS[504] : undefined;
  const [meaning, remedy] = late ??
    MEANINGS[status_code] ?? [
      status_code >= 500 ? "the bot could not keep it" : status,
      "See the bot's log at the time of the delivery.",
    ];
  return [`${status_code === 0 ? "" : `${status_code}, `}${meaning}`, remedy];
}
