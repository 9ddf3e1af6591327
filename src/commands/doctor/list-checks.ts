import path from "node:path";
import type { TryModel } from "../../app/open-model.ts";
import type { InspectedConfig } from "../../settings/environment/inspect-config.ts";
import type { BotCommands } from "../bot-commands.ts";
import { type Check, checksWith, skipped } from "../findings.ts";
import type { Ask, GithubAccess } from "./ask.ts";
import { checkApp, checkEvents, checkInstallations, checkPermissions, type RegisteredApp } from "./check-app.ts";
import { checkDatabase, type DatabaseState } from "./check-database.ts";
import {
  checkClock,
  checkConfiguration,
  checkDiskSpace,
  checkEnvFile,
  checkFileRights,
  checkLimits,
  checkLocalBot,
  checkNode,
} from "./check-local.ts";
import { checkCall, checkModel, checkPrices } from "./check-model.ts";
import { checkDashboardPage, checkPublicAddress, checkSignInAddress } from "./check-public-address.ts";
import { type RepositoryName, type RepositoryParts, repositoryChecks } from "./check-repository.ts";
import { checkDeliveries, checkHook, checkHookAddress, checkHookPing } from "./check-webhook.ts";

interface LocalParts {
  readonly inspected: InspectedConfig;
  /** path of the `.env` file */
  readonly envFile: string;
  /** inspects the configured database */
  readonly databaseState: () => Promise<DatabaseState>;
  readonly commands: BotCommands;
}

/** The checks of this machine: runtime, configuration, files and database. */
export function localChecks({ inspected, envFile, databaseState, commands }: LocalParts): readonly Check[] {
  const { database } = inspected.config;
  const file = path.resolve(envFile);
  const checks: Check[] = [
    { name: "Node.js", run: () => checkNode(process.version) },
    { name: "configuration", run: () => checkConfiguration(inspected, commands) },
    { name: "limits of money", run: async () => checkLimits(inspected) },
    { name: ".env file", run: () => checkEnvFile(file) },
    { name: ".env file", run: () => checkFileRights(file) },
    { name: "private key file", run: () => checkFileRights(inspected.keyFile) },
  ];
  if (!inspected.sound("DATABASE_URL", "MAGIS_DATA_DIR")) return checks;
  if (database.url === undefined) {
    checks.push({ name: "data directory", run: () => checkDiskSpace(database.dataDir) });
  }
  return [...checks, { name: "database", run: async () => checkDatabase(await databaseState()) }];
}

export interface GithubParts extends Pick<RepositoryParts, "manifest" | "readSettings"> {
  readonly ask: Ask;
  /** Called where the configuration says where GitHub is and which app the bot is. */
  readonly github: () => GithubAccess;
  readonly inspected: InspectedConfig;
  readonly commands: BotCommands;
  readonly repository?: RepositoryName | undefined;
  /** the bot has not started yet: check neither it nor GitHub's deliveries to it */
  readonly beforeStart?: boolean | undefined;
}

/** The checks of GitHub, the webhook and the bot behind it. Some wait for the result of another. */
export function githubChecks(parts: GithubParts): readonly Check[] {
  const { inspected, ask, beforeStart, commands } = parts;
  const { github, server } = inspected.config;
  const checks: Check[] = [];
  if (inspected.sound("GHE_HOST", "GHE_PROTOCOL")) {
    checks.push({ name: "GitHub", run: () => checkClock(ask, github.apiUrl) });
  }
  if (!beforeStart && inspected.sound("HOST", "PORT")) {
    checks.push({ name: "bot on this machine", run: () => checkLocalBot(ask, server, commands) });
  }
  if (inspected.sound("APP_ID", "PRIVATE_KEY", "GHE_HOST", "GHE_PROTOCOL")) return [...checks, ...appChecks(parts)];
  const text = "This, the webhook and the installations need APP_ID and the private key.";
  return [...checks, { name: "app registration", run: async () => skipped(text) }];
}

function appChecks(parts: GithubParts): readonly Check[] {
  const { inspected, ask, manifest, repository, beforeStart } = parts;
  const { github, server } = inspected.config;
  const access = parts.github();
  const { app: api } = access;
  const webhookPath = inspected.sound("WEBHOOK_PATH") ? server.webhookPath : undefined;
  const examined = checkApp(api, github.appId, github.webUrl);
  const app = examined.then((one) => one.app);
  const hook = app.then((one) => one && checkHook(api, one, webhookPath));
  const withApp = checksWith(app, "It needs an app that GitHub knows.");
  const withHook = checksWith(hook, "It needs an app that GitHub knows.");
  const withAddress = checksWith(
    hook.then((one) => one?.url),
    "It needs the webhook's address.",
  );
  const onGithubCom = github.webUrl === "https://github.com";
  const secret = inspected.sound("WEBHOOK_SECRET") ? github.webhookSecret : undefined;
  const ofRunningBot = [
    withApp("webhook deliveries", (one) => checkDeliveries(api, one)),
    withAddress("webhook address", (url) => checkHookAddress(ask, url, onGithubCom)),
    withAddress("webhook signature", async (url) =>
      secret === undefined ? skipped("It needs WEBHOOK_SECRET.") : checkHookPing(ask, url, secret),
    ),
  ];
  const ofAddress = publicAddressChecks(parts, { withApp, withAddress });
  const ofRepository = repository === undefined ? [] : repositoryChecks(app, { ...parts, repository, github: access });
  return [
    { name: "app registration", run: async () => (await examined).verdict },
    withApp("app permissions", (one) => checkPermissions(one, manifest)),
    withApp("app events", (one) => checkEvents(one, manifest)),
    withHook("webhook settings", async ({ verdicts }) => verdicts),
    ...ofAddress,
    ...(beforeStart ? [] : ofRunningBot),
    withApp("installations", (one) => checkInstallations(api, one, manifest)),
    ...ofRepository,
  ];
}

/** The checks of MAGIS_URL, if it is set, and of the dashboard there. */
function publicAddressChecks(
  { inspected, ask, beforeStart }: GithubParts,
  { withApp, withAddress }: PublicAddressNeeds,
): readonly Check[] {
  const { publicUrl, mode } = inspected.config.dashboard;
  if (publicUrl === undefined || !inspected.sound("MAGIS_URL", "MAGIS_DASHBOARD")) return [];
  const address = withAddress("public address", (hookUrl) => checkPublicAddress(publicUrl, hookUrl));
  if (mode !== "github") return [address];
  const signIn = withApp("dashboard sign-in", (app) => checkSignInAddress(publicUrl, app));
  const page = { name: "dashboard", run: () => checkDashboardPage(ask, publicUrl) };
  return beforeStart ? [address, signIn] : [address, signIn, page];
}

interface PublicAddressNeeds {
  readonly withApp: ReturnType<typeof checksWith<RegisteredApp>>;
  readonly withAddress: ReturnType<typeof checksWith<string>>;
}

const ANTHROPIC = "https://api.anthropic.com";

const TIERS = [
  ["MAGIS_MODEL_FAST", "fast"],
  ["MAGIS_MODEL_STRONG", "strong"],
] as const;

/**
 * The checks of the models: always the prices, then the provider. `paid` makes a tiny call to each model, which is the
 * only way to check providers other than Anthropic's own API.
 */
export function modelChecks(
  { config: { model }, sound }: InspectedConfig,
  ask: Ask,
  extent: "none" | "free" | "paid",
  tryModel: TryModel,
  { magis }: Pick<BotCommands, "magis">,
): readonly Check[] {
  const tiers = TIERS.filter(([variable]) => sound(variable));
  const names = [...new Set(tiers.map(([, tier]) => model.models[tier]))];
  const checks: Check[] = [];
  if (sound("MAGIS_PRICES")) checks.push({ name: "model prices", run: () => checkPrices(names, model.prices) });
  if (extent === "none") return checks;
  const skip = (text: string) => [...checks, { name: "models", run: async () => skipped(text) }];
  if (!sound("MAGIS_PROVIDER", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")) {
    return skip("They need a valid key and address.");
  }
  const isAnthropic = model.provider === "anthropic";
  if (extent === "free" && !isAnthropic) {
    return skip(`${model.provider} is asked by ${magis} doctor --call only: one tiny call a model.`);
  }
  const access = { ask, apiKey: model.apiKey ?? "", baseUrl: (model.baseUrl ?? ANTHROPIC).replace(/(?<!\/)\/+$/, "") };
  const free = tiers.map(([variable, tier]) => ({
    name: `model of ${variable}`,
    run: () => checkModel(access, variable, model.models[tier], magis),
  }));
  const paid = names.map((name) => ({ name: `call of ${name}`, run: () => checkCall(name, tryModel) }));
  return [...checks, ...(isAnthropic ? free : []), ...(extent === "paid" ? paid : [])];
}
