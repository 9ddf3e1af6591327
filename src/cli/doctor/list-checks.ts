import path from "node:path";
import { createAppAuth } from "@octokit/auth-app";
import type { InspectedConfig } from "../../config/environment/inspect-config.ts";
import type { TokenUsage } from "../../model/spend.ts";
import { type Ask, createApi } from "./ask.ts";
import { checkApp, checkEvents, checkInstallations, checkPermissions, type RegisteredApp } from "./check-app.ts";
import { checkDatabase, type DatabaseState } from "./check-database.ts";
import { checkDeliveries } from "./check-deliveries.ts";
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
import { type Check, findingsOf } from "./findings.ts";
import { type GithubParts, repositoryFindings } from "./list-repository-checks.ts";

interface LocalParts {
  readonly inspected: InspectedConfig;
  /** path of the file with the environment's variables */
  readonly envFile: string;
  /** the state of the configured database */
  readonly databaseState: () => Promise<DatabaseState>;
}

/** The checks of this machine: runtime, configuration, files and database. */
export function localChecks({ inspected, envFile, databaseState }: LocalParts): readonly Check[] {
  const { database } = inspected.config;
  const located = inspected.sound("DATABASE_URL", "MAGIS_DATA_DIR");
  return [
    { name: "Node.js", run: () => checkNode(process.version) },
    { name: "configuration", run: () => checkConfiguration(inspected.faults, inspected.unknown) },
    { name: ".env file", run: () => checkEnvFile(path.resolve(envFile)) },
    { name: ".env file", run: () => checkFileRights(".env file", path.resolve(envFile)) },
    { name: "private key file", run: () => checkFileRights("private key file", inspected.keyFile) },
    ...(located && database.url === undefined
      ? [{ name: "data directory", run: () => checkDiskSpace(database.dataDir) }]
      : []),
    ...(located ? [{ name: "database", run: async () => checkDatabase(await databaseState()) }] : []),
  ];
}

/** The checks of GitHub, the webhook and the bot behind it. Those that need an answer of another's wait for it. */
export function githubChecks(parts: GithubParts): readonly Check[] {
  const { inspected, ask } = parts;
  const { github, server } = inspected.config;
  const checks: Check[] = [];
  if (inspected.sound("GHE_HOST", "GHE_PROTOCOL")) {
    checks.push({ name: "clock", run: () => checkClock(ask, github.apiUrl) });
  }
  if (inspected.sound("HOST", "PORT")) {
    checks.push({ name: "bot on this machine", run: () => checkLocalBot(ask, server.host, server.port) });
  }
  if (inspected.sound("APP_ID", "PRIVATE_KEY", "GHE_HOST", "GHE_PROTOCOL")) return [...checks, ...appChecks(parts)];
  const { skipped } = findingsOf("app registration");
  const text = "This, the webhook and the installations need APP_ID and the private key.";
  return [...checks, { name: "app registration", run: async () => skipped(text) }];
}

function appChecks(parts: GithubParts): readonly Check[] {
  const { inspected, ask, manifest, repository } = parts;
  const { github, server } = inspected.config;
  const auth = createAppAuth({ appId: github.appId, privateKey: github.privateKey });
  const api = createApi(ask, github.apiUrl, async () => (await auth({ type: "app" })).token);
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
  return [
    { name: "app registration", run: async () => (await examined).finding },
    withApp("app permissions", (app) => checkPermissions(app, manifest)),
    withApp("app events", (app) => checkEvents(app, manifest)),
    withApp("webhook settings", async () => (await hook)?.findings ?? []),
    withApp("webhook deliveries", (app) => checkDeliveries(api, app)),
    withHook("webhook address", (url) => checkHookAddress(ask, url, onGithubCom)),
    withHook("webhook signature", async (url) =>
      secret === undefined
        ? findingsOf("webhook signature").skipped("It needs WEBHOOK_SECRET.")
        : checkHookPing(ask, url, secret),
    ),
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
      return skip(`${model.provider} is asked by magis doctor --call only: one tiny call a model.`);
    return [
      ...prices,
      ...[...new Set(names)].map((name) => ({ name: `call of ${name}`, run: () => checkCall(name, tryModel) })),
    ];
  }
  const baseUrl = (model.baseUrl ?? ANTHROPIC).replace(/\/+$/, "");
  const access = { ask, apiKey: model.apiKey ?? "", baseUrl };
  const free = tiers.map(([variable, tier]) => ({
    name: `model of ${variable}`,
    run: () => checkModel(access, variable, model.models[tier]),
  }));
  const paid = [...new Set(names)].map((name) => ({
    name: `call of ${name}`,
    run: () => checkModelCall(access, name, Object.hasOwn(model.prices, name) ? model.prices[name] : undefined),
  }));
  return [...prices, ...free, ...(extent === "paid" ? paid : [])];
}
