import path from "node:path";
import { type TryModel, tryModel } from "../../app/open-model.ts";
import { ownStateFolder } from "../../app/own-state.ts";
import { type EnvFile, workingEnvFile } from "../../settings/environment/own-env-file.ts";
import { type InspectedConfig, inspectConfig } from "../../settings/environment/read-config.ts";
import { type BotCommands, botCommands } from "../bot-commands.ts";
import type { CliContext } from "../cli-command.ts";
import { type Check, checksWith, skipped } from "../findings.ts";
import { type Ask, createAsk } from "./ask.ts";
import {
  checkApp,
  checkDeliveries,
  checkEvents,
  checkHook,
  checkInstallations,
  checkPermissions,
} from "./check-app.ts";
import {
  checkDashboardPage,
  checkHookAddress,
  checkHookPing,
  checkLocalBot,
  checkPublicAddress,
  checkSignInAddress,
} from "./check-bot.ts";
import { checkDatabase } from "./check-database.ts";
import {
  checkClock,
  checkConfiguration,
  checkDiskSpace,
  checkEnvFile,
  checkFileRights,
  checkLimits,
  checkNode,
} from "./check-local.ts";
import { checkCall, checkModel, checkPrices } from "./check-model.ts";
import { type GithubAccess, type RepositoryName, type RepositoryParts, repositoryChecks } from "./check-repository.ts";

/** What to check. */
export interface DoctorRequest {
  repository?: RepositoryName | undefined;
  /** only configuration and database */
  offline: boolean;
  /** `none`: do not ask the model's provider; `free`: only free requests; `paid`: also one tiny call to each model */
  model: "none" | "free" | "paid";
  /** the bot has not started yet: check neither it nor GitHub's deliveries to it */
  beforeStart?: boolean;
}

/** What all checks are about, and what they ask with. */
export interface Doctor {
  request: DoctorRequest;
  envFile: EnvFile;
  inspected: InspectedConfig;
  commands: BotCommands;
  ask: Ask;
  tryModel: TryModel;
}

/** Reads the configuration of the working directory for the checks of `request`. */
export function createDoctor(request: DoctorRequest, { environment, signal }: DoctorContext): Doctor {
  const envFile = workingEnvFile(environment, ownStateFolder(environment));
  const inspected = inspectConfig(envFile, environment);
  return {
    request,
    envFile,
    inspected,
    commands: botCommands(),
    ask: createAsk(signal),
    tryModel: tryModel(inspected.config.model, signal),
  };
}

/** Where the doctor was called. */
export type DoctorContext = Pick<CliContext, "environment" | "signal">;

/** The checks of this machine: runtime, configuration, files and database. */
export function localChecks({ inspected, commands, envFile }: Doctor): readonly Check[] {
  const { config, keyFile, sound } = inspected;
  const { database } = config;
  const file = path.resolve(envFile.path);
  const checks: Check[] = [
    { name: "Node.js", run: () => checkNode(process.version) },
    { name: "configuration", run: () => checkConfiguration(inspected, commands) },
    { name: "limits of money", run: () => checkLimits(inspected) },
    { name: ".env file", run: () => checkEnvFile(file) },
    { name: ".env file", run: () => checkFileRights(file) },
    { name: "private key file", run: () => checkFileRights(keyFile) },
  ];
  if (!sound("DATABASE_URL", "MAGIS_DATA_DIR")) return checks;
  if (database.url === undefined) checks.push({ name: "data directory", run: () => checkDiskSpace(database.dataDir) });
  return [...checks, { name: "database", run: () => checkDatabase(database) }];
}

export interface GithubParts extends Pick<RepositoryParts, "manifest" | "readSettings"> {
  /** Called where the configuration says where GitHub is and which app the bot is. */
  openGithub: () => GithubAccess;
}

/** The checks of GitHub, the webhook and the bot behind it. Some wait for the result of another. */
export function githubChecks(doctor: Doctor, parts: GithubParts): readonly Check[] {
  const { inspected, ask, request, commands } = doctor;
  const { github, server } = inspected.config;
  const checks: Check[] = [];
  if (inspected.sound("GHE_HOST", "GHE_PROTOCOL"))
    checks.push({ name: "GitHub", run: () => checkClock(ask, github.apiUrl) });
  if (!request.beforeStart && inspected.sound("HOST", "PORT"))
    checks.push({ name: "bot on this machine", run: () => checkLocalBot(ask, server, commands) });
  if (inspected.sound("APP_ID", "PRIVATE_KEY", "GHE_HOST", "GHE_PROTOCOL"))
    return [...checks, ...appChecks(doctor, parts)];
  const text = "This, the webhook and the installations need APP_ID and the private key.";
  return [...checks, { name: "app registration", run: () => skipped(text) }];
}

function appChecks(doctor: Doctor, parts: GithubParts): readonly Check[] {
  const { inspected, ask, request } = doctor;
  const { github, server } = inspected.config;
  const { manifest } = parts;
  const access = parts.openGithub();
  const { client } = access;
  const webhookPath = inspected.sound("WEBHOOK_PATH") ? server.webhookPath : undefined;
  const examined = checkApp(client, github.appId, github.webUrl);
  const app = examined.then((one) => one.app);
  const hook = app.then((one) => one && checkHook(client, one, webhookPath));
  const withApp = checksWith(app, "It needs an app that GitHub knows.");
  const withHook = checksWith(hook, "It needs an app that GitHub knows.");
  const withAddress = checksWith(
    hook.then((one) => one?.url),
    "It needs the webhook's address.",
  );
  const onGithubCom = github.webUrl === "https://github.com";
  const secret = inspected.sound("WEBHOOK_SECRET") ? github.webhookSecret : undefined;
  const { publicUrl, mode } = inspected.config.dashboard;
  const url = inspected.sound("MAGIS_URL", "MAGIS_DASHBOARD") ? publicUrl : undefined;
  const checks: Check[] = [
    { name: "app registration", run: async () => (await examined).verdict },
    withApp("app permissions", (one) => checkPermissions(one, manifest)),
    withApp("app events", (one) => checkEvents(one, manifest)),
    withHook("webhook settings", ({ verdicts }) => verdicts),
  ];
  if (url !== undefined) checks.push(withAddress("public address", (hookUrl) => checkPublicAddress(url, hookUrl)));
  if (url !== undefined && mode === "github") {
    checks.push(withApp("dashboard sign-in", (one) => checkSignInAddress(url, one)));
    if (!request.beforeStart) checks.push({ name: "dashboard", run: () => checkDashboardPage(ask, url) });
  }
  if (!request.beforeStart) {
    checks.push(
      withApp("webhook deliveries", (one) => checkDeliveries(client, one)),
      withAddress("webhook address", (hookUrl) => checkHookAddress(ask, hookUrl, onGithubCom)),
      withAddress("webhook signature", (hookUrl) =>
        secret === undefined ? skipped("It needs WEBHOOK_SECRET.") : checkHookPing(ask, hookUrl, secret),
      ),
    );
  }
  checks.push(withApp("installations", (one) => checkInstallations(client, one, manifest)));
  const { repository } = request;
  if (repository !== undefined) checks.push(...repositoryChecks(app, { ...parts, repository, github: access }));
  return checks;
}

const ANTHROPIC = "https://api.anthropic.com";

const TIERS = [
  ["MAGIS_MODEL_FAST", "fast"],
  ["MAGIS_MODEL_STRONG", "strong"],
] as const;

/**
 * The checks of the models: always the prices, then the provider. A tiny paid call to each model is the only way to
 * check providers other than Anthropic's own API.
 */
export function modelChecks({ inspected, ask, request, commands, tryModel }: Doctor): readonly Check[] {
  const { config, sound } = inspected;
  const { model } = config;
  const extent = request.offline ? "none" : request.model;
  const tiers = TIERS.filter(([variable]) => sound(variable));
  const names = [...new Set(tiers.map(([, tier]) => model.models[tier]))];
  const checks: Check[] = [];
  if (sound("MAGIS_PRICES")) checks.push({ name: "model prices", run: () => checkPrices(names, model.prices) });
  if (extent === "none") return checks;
  const skip = (text: string) => [...checks, { name: "models", run: () => skipped(text) }];
  if (!sound("MAGIS_PROVIDER", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"))
    return skip("They need a valid key and address.");
  const isAnthropic = model.provider === "anthropic";
  if (extent === "free" && !isAnthropic)
    return skip(`${model.provider} is asked by ${commands.magis} doctor --call only: one tiny call a model.`);
  const access = { ask, apiKey: model.apiKey ?? "", baseUrl: (model.baseUrl ?? ANTHROPIC).replace(/(?<!\/)\/+$/, "") };
  const free = tiers.map(([variable, tier]) => ({
    name: `model of ${variable}`,
    run: () => checkModel(access, variable, model.models[tier], commands.magis),
  }));
  const paid = names.map((name) => ({ name: `call of ${name}`, run: () => checkCall(name, tryModel) }));
  return [...checks, ...(isAnthropic ? free : []), ...(extent === "paid" ? paid : [])];
}
