import { constants, readFileSync } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { ownStateFolder } from "../../app/own-state.ts";
import { ENDING_SIGNALS } from "../../data/cancellation.ts";
import { MagisError } from "../../data/error.ts";
import { OWN_FOLDER } from "../../data/own-files.ts";
import { DEFAULT_SETTINGS } from "../../data/setting-definitions/all-settings.ts";
import { BOT_SETTINGS } from "../../data/setting-definitions/bot-settings.ts";
import type { Config } from "../../settings/environment/config.ts";
import { claimEnvFile, workingEnvFile } from "../../settings/environment/own-env-file.ts";
import { type Environment, inspectConfig, publicAddress } from "../../settings/environment/read-config.ts";
import { writeEnvFile } from "../../settings/environment/write-env-file.ts";
import { botCommands } from "../bot-commands.ts";
import type { CliCommand, CliContext, CliOption } from "../cli-command.ts";
import { runDoctor } from "../doctor/doctor-command.ts";
import { findingsText } from "../findings.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { PROVIDERS, usesMachine } from "./models-form.ts";
import type { SetupOptions, SetupResult } from "./setup-flow.ts";
import type { SetupPlace } from "./setup-server.ts";

const MAX_PORT = 65_535;

const PORT_RULE = `must be a port, 0 to ${MAX_PORT}`;

const SETUP_OPTIONS = [
  { name: "org", argument: "ORGANISATION", description: "whom the app belongs to; without it: whoever registers it" },
  {
    name: "url",
    argument: "URL",
    description: "the address at which GitHub reaches the bot, e.g. https://magis.example.com",
    shape: z.url({ protocol: /^https?$/, error: "must be an address that begins with https://" }),
  },
  {
    name: "channels",
    argument: "URL",
    description: "the service that opens a channel where there is no address; without it: https://smee.io/new",
    shape: z.url({ protocol: /^https?$/, error: "must be an address that begins with https://" }),
  },
  {
    name: "port",
    argument: "PORT",
    description: "the port of this machine for the pages; without it: a free one",
    shape: z
      .string()
      .regex(/^\d{1,5}$/, PORT_RULE)
      .refine((text) => Number(text) <= MAX_PORT, PORT_RULE)
      .transform(Number),
  },
  { name: "open", description: "open the pages in the browser" },
  { name: "replace", description: "register another app although one is configured" },
] as const satisfies readonly CliOption[];

/**
 * `magis setup`: registers the app by GitHub's manifest flow, in a browser on this machine. If the last form asked for
 * it, the command then becomes the bot.
 */
export const setupCommand: CliCommand<typeof SETUP_OPTIONS> = {
  waiting: "waiting for the browser",
  examples: ["setup --open", "setup --org acme --url https://magis.example.com"],
  options: SETUP_OPTIONS,
  async run({ options }, context) {
    const { org: organisation, url, channels, port = 0, replace = false, open = false } = options;
    const request = { replace, open, organisation, url, channels };
    const place = { host: "127.0.0.1", port };
    const { report, starts, chosen } = await runSetup(request, context, { place, becomesBot: false });
    if (context.signal.aborted)
      return { exitCode: 130, text: "Cancelled. Files already written stay; magis setup starts over." };
    if (!starts) return { exitCode: 0, text: report };
    context.progress(report);
    await context.startBot(chosen);
    return { exitCode: 0, text: "" };
  },
};

const MANIFEST = path.join(OWN_FOLDER, "app.yml");

const QUIET = { debug: () => undefined, warn: () => undefined };

/** The registration as the command line asks for it. */
interface SetupRequest {
  /** the organisation that will own the app; absent: the person who registers it */
  organisation?: string | undefined;
  /** the bot's address as GitHub reaches it */
  url?: string | undefined;
  /** the service that opens a channel for webhooks; absent: smee.io */
  channels?: string | undefined;
  /** whether to open the pages in this machine's browser */
  open: boolean;
  /** whether an app that is already configured may be replaced */
  replace: boolean;
}

/** Where the setup serves its pages, and what becomes of the process. */
interface SetupScene {
  place: SetupPlace;
  /** the process becomes the bot in any case, so do not ask */
  becomesBot: boolean;
}

/** The outcome of the setup. */
interface SetupEnd {
  /** for the terminal: the doctor's findings and the next steps */
  report: string;
  /** whether to start the bot now, in this process */
  starts: boolean;
  /** variables that the person at this machine chose; a file may not set these */
  chosen: Readonly<Record<string, string>>;
}

/**
 * Serves the setup's pages on this machine until they are done. Throws CONFIGURATION_INVALID when an app is configured
 * already and `replace` is not set, and when the keys cannot be saved.
 */
async function runSetup(
  { organisation, url, channels, replace, open }: SetupRequest,
  context: Pick<CliContext, "environment" | "signal" | "progress" | "columns">,
  { place, becomesBot }: SetupScene,
): Promise<SetupEnd> {
  const { environment } = context;
  const envFile = workingEnvFile(environment, ownStateFolder(environment));
  const inspected = inspectConfig(envFile, environment);
  const commands = botCommands();
  if (!replace && !inspected.missing("APP_ID")) {
    const { magis } = commands;
    throw new MagisError(
      "CONFIGURATION_INVALID",
      `An app is configured already (APP_ID). ${magis} doctor checks it; ${magis} setup --replace registers another.`,
    );
  }
  if (!envFile.isOwn && inspected.leftOut.length > 0) {
    // The bot would obey these lines as soon as its keys are beside them.
    const words = "There is a .env here that the server did not write: remove these lines, or use another directory.";
    throw new MagisError("CONFIGURATION_INVALID", [words, ...inspected.leftOut].join("\n"));
  }
  await checkFolder(path.dirname(path.resolve(envFile.path)));
  const { createAppRegistration } = await import("../../github/app-registration.ts");
  const { github, server, trigger, model } = inspected.config;
  const { key } = PROVIDERS[model.provider];
  const used = usedVariables(inspected.config);
  let chosen: Readonly<Record<string, string>> = {};
  const options: SetupOptions = {
    app: {
      manifest: await readManifest(),
      webUrl: github.webUrl,
      organisation,
      url: url ?? publicAddress(environment),
      webhookPath: server.webhookPath,
    },
    label: trigger.label,
    provider: key && inspected.missing(key) ? model.provider : undefined,
    commands,
    becomesBot,
    world: {
      registration: createAppRegistration({ ...github, log: QUIET }),
      openChannel: () => openChannel(channels),
      tell: context.progress,
      async keep(values) {
        if (usesMachine(values)) chosen = values;
        const written = writeEnvFile(path.resolve(envFile.path), { ...used, ...values });
        claimEnvFile(ownStateFolder(environment));
        return written;
      },
      examine(paid) {
        const request = { offline: false, model: paid ? "paid" : "free", beforeStart: true } as const;
        return runDoctor(request, { environment: { ...environment, ...chosen }, signal: context.signal });
      },
    },
  };
  const { startSetup } = await import("./setup-server.ts");
  const pages = await startSetup(options, place);
  context.progress(`Open this address in a browser; it works once, within an hour:\n${pages.address}`);
  if (open && (await openInBrowser(pages.address))) context.progress("Opened in the browser.");
  const interrupted = new Promise<undefined>((resolve) => {
    context.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const result = await Promise.race([pages.done, interrupted]).finally(() => pages.close());
  if (result === undefined) return { report: "", starts: false, chosen };
  return { report: reportText(result, context.columns), starts: result.starts, chosen };
}

function reportText({ heading, findings, next }: SetupResult, columns: number | undefined): string {
  return `${heading}\n${findingsText(findings, columns)}\n${next}`;
}

/** Throws when the keys could not be saved, because the host gives them only once. */
async function checkFolder(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new MagisError(
      "CONFIGURATION_INVALID",
      `The app's keys could not be written to ${folder}: start it in a directory that this user can write to.`,
      {},
      error,
    );
  });
}

/**
 * Settings of the registration that differ from the defaults, saved for the bot: its next start may not get them again.
 */
function usedVariables({ github, server, trigger }: Config): Readonly<Record<string, string>> {
  const { protocol, host, origin } = new URL(github.webUrl);
  const isEnterprise = origin !== "https://github.com";
  const variables: Record<string, string> = {};
  if (isEnterprise) variables.GHE_HOST = host;
  if (isEnterprise && protocol === "http:") variables.GHE_PROTOCOL = "http";
  if (server.webhookPath !== BOT_SETTINGS.webhookPath.default) variables.WEBHOOK_PATH = server.webhookPath;
  if (trigger.label !== DEFAULT_SETTINGS.label) variables.MAGIS_LABEL = trigger.label;
  return variables;
}

const CHANNEL_MS = 10_000;

/** The address of a new channel; undefined when none could be opened in time. */
async function openChannel(service: string | undefined): Promise<string | undefined> {
  const { SmeeClient } = await import("smee-client");
  const opened = SmeeClient.createChannel(service === undefined ? {} : { newChannelUrl: service });
  return Promise.race([opened, setTimeout(CHANNEL_MS, undefined, { ref: false })]).catch(() => undefined);
}

/** app.yml without its addresses, which the registration sets. */
async function readManifest(): Promise<Readonly<Record<string, unknown>>> {
  const { parse } = await import("yaml");
  const { hook_attributes: _, ...manifest } = parse(readFileSync(MANIFEST, "utf8")) as Record<string, unknown>;
  return manifest;
}

/**
 * Registers an app in a browser, for a server that is not configured yet. The pages are served where the bot will
 * listen, on loopback unless HOST says otherwise; a signal ends the process. Gives the bot's environment.
 */
export async function registerFirst(environment: Environment): Promise<Environment> {
  const { config } = inspectConfig(claimEnvFile(ownStateFolder(environment)), environment);
  const progress = (text: string) => void process.stderr.write(`${text}\n`);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ENDING_SIGNALS) process.once(signal, stop);
  progress("No GitHub App is configured yet: APP_ID, WEBHOOK_SECRET, PRIVATE_KEY and PRIVATE_KEY_PATH are not set.");
  const { host, port } = config.server;
  const publicUrl = publicAddress(environment);
  const place = { host: host === "localhost" ? "127.0.0.1" : host, port, url: publicUrl };
  if (publicUrl === undefined && (host === "0.0.0.0" || host === "::")) {
    progress(
      "The address below works on this machine. If browsers reach the server by another address, set MAGIS_URL to it and start again.",
    );
  }
  const context = { environment, signal: interrupt.signal, progress };
  const { report, chosen } = await runSetup({ replace: false, open: false }, context, { place, becomesBot: true });
  progress(report);
  if (interrupt.signal.aborted) process.exit(0);
  for (const signal of ENDING_SIGNALS) process.off(signal, stop);
  return { ...environment, ...chosen };
}
