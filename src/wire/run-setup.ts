import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CliContext } from "../cli/cli-command.ts";
import { findingsText } from "../cli/doctor/doctor-command.ts";
import type { SetupRequest } from "../cli/setup/setup-command.ts";
import { startSetup } from "../cli/setup/setup-server.ts";
import type { InspectedConfig } from "../config/environment/inspect-config.ts";
import { type Environment, inspectConfig } from "../config/environment/read-config.ts";
import { writeEnvFile } from "../config/environment/write-env-file.ts";
import { MagisError } from "../model/error.ts";
import { DEFAULT_PRICES } from "../model/prices.ts";
import { runDoctor } from "./run-doctor.ts";

const MANIFEST = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "app.yml");

const ENV_FILE = ".env";

const QUIET = { debug: () => undefined, warn: () => undefined };

/**
 * For a server of which nothing is said yet: an app is registered in a browser before anything else. The pages are shown where
 * the bot will listen, on loopback unless HOST says otherwise; a signal ends the process. Gives the environment that the bot
 * is to go by.
 */
export async function registerFirst(environment: Environment): Promise<Environment> {
  const { config } = inspectConfig(DEFAULT_PRICES, ENV_FILE, environment);
  const progress = (text: string) => void process.stderr.write(`${text}\n`);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, stop);
  progress("No GitHub App is configured yet: APP_ID, WEBHOOK_SECRET, PRIVATE_KEY and PRIVATE_KEY_PATH are not set.");
  const { host, port } = config.server;
  const address = { host: host === "localhost" ? "127.0.0.1" : host, port };
  const context = { version: "", signal: interrupt.signal, progress };
  const { report, chosen } = await runSetup({ replace: false, open: false }, context, address, environment);
  progress(report);
  if (interrupt.signal.aborted) process.exit(0);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, stop);
  return { ...environment, ...chosen };
}

/**
 * Serves the pages of the setup on this machine at `address` until they are done; gives what the doctor found, and the
 * variables that a person at this machine has chosen there and a file may not choose.
 * Throws CONFIGURATION_INVALID where an app is configured already and `replace` was not said.
 */
export async function runSetup(
  { organisation, url, channels, replace, open: inBrowser }: Omit<SetupRequest, "port">,
  context: CliContext,
  address: { readonly host: string; readonly port: number },
  environment: Environment,
): Promise<{ readonly report: string; readonly chosen: Environment }> {
  const inspected = inspectConfig(DEFAULT_PRICES, ENV_FILE, environment);
  if (!replace && !inspected.missing("APP_ID")) {
    throw new MagisError(
      "CONFIGURATION_INVALID",
      "An app is configured already (APP_ID). magis doctor looks at it; magis setup --replace registers another.",
    );
  }
  const { github, server, trigger } = inspected.config;
  const { createAppRegistration } = await import("../github/api/app-registration.ts");
  let chosen: Environment = {};
  const options = {
    ...{ manifest: await readManifest(), organisation, url, label: trigger.label },
    ...{ webUrl: github.webUrl, webhookPath: server.webhookPath },
    registration: createAppRegistration({ ...github, log: QUIET }),
    provider: unreachedProvider(inspected),
    openChannel: () => openChannel(channels),
    tell: (error: unknown) => context.progress(`A page of the setup failed: ${String(error)}`),
    keep: async (values: Readonly<Record<string, string>>) => {
      if (values.MAGIS_PROVIDER !== undefined && values.MAGIS_PROVIDER !== "openai") chosen = values;
      return writeEnvFile(path.resolve(ENV_FILE), values);
    },
    examine: async (paid: boolean) =>
      findingsText(
        await runDoctor({ offline: false, model: paid ? "paid" : "free" }, context, { ...environment, ...chosen }),
      ),
    next: "Start the bot with magis start, then set the label on an issue.",
  };
  const pages = await startSetup(options, address);
  context.progress(`Open this address in a browser; it works once:\n${pages.address}`);
  // Where there is none, the address has been said.
  if (inBrowser) await (await import("open")).default(pages.address).catch(() => undefined);
  const interrupted = new Promise<string>((resolve) => {
    context.signal.addEventListener("abort", () => resolve(""), { once: true });
  });
  const report = await Promise.race([pages.done, interrupted]).finally(() => pages.close());
  return { report, chosen };
}

const CHANNEL_MS = 10_000;

/** The address of a channel; undefined where none could be opened in time. */
async function openChannel(service: string | undefined): Promise<string | undefined> {
  const { SmeeClient } = await import("smee-client");
  const opened = SmeeClient.createChannel(service === undefined ? {} : { newChannelUrl: service });
  return Promise.race([opened, setTimeout(CHANNEL_MS, undefined, { ref: false })]).catch(() => undefined);
}

/** The provider that has still to be told how it is reached, by a key that is not there; others know, or are told by the machine. */
function unreachedProvider({ config, missing }: InspectedConfig): "anthropic" | "openai" | undefined {
  const { provider } = config.model;
  if (provider === "anthropic") return missing("ANTHROPIC_API_KEY") ? provider : undefined;
  return provider === "openai" && missing("OPENAI_API_KEY") ? provider : undefined;
}

/** app.yml without its addresses, which the registration knows. */
async function readManifest(): Promise<Readonly<Record<string, unknown>>> {
  const { parse } = await import("yaml");
  const { hook_attributes: _, ...manifest } = parse(readFileSync(MANIFEST, "utf8")) as Record<string, unknown>;
  return manifest;
}
