import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Pool } from "pg";
import { z } from "zod";
import type { Database } from "../adapters/database/database.ts";
import { openAsItIs } from "../adapters/database/open-database.ts";
import type { CliContext } from "../cli/cli-command.ts";
import { createAsk } from "../cli/doctor/ask.ts";
import type { Manifest } from "../cli/doctor/check-app.ts";
import type { DatabaseState } from "../cli/doctor/check-database.ts";
import type { DoctorRequest } from "../cli/doctor/doctor-command.ts";
import { type GithubParts, githubChecks, localChecks, modelChecks } from "../cli/doctor/list-checks.ts";
import { type Check, type Finding, runChecks, withoutSecrets } from "../cli/findings.ts";
import type { Config } from "../config/environment/config.ts";
import type { InspectedConfig } from "../config/environment/inspect-config.ts";
import { operatorLimits } from "../config/environment/operator.ts";
import { workingEnvFile } from "../config/environment/own-env-file.ts";
import { type Environment, inspectConfig } from "../config/environment/read-config.ts";
import { isMagisError } from "../model/error.ts";
import { branchOf } from "../model/marks.ts";
import { OWN_FOLDER } from "../model/own-files.ts";
import { DEFAULT_PRICES } from "../model/prices.ts";
import { DEFAULT_SETTINGS } from "../model/setting-definitions/all-settings.ts";
import { botCommands } from "./installation.ts";
import { tryModel } from "./open-model.ts";
import { ownStateFolder } from "./own-state.ts";

/** The findings say all that there is to say. */
const ignore = (): void => undefined;
const QUIET = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const MANIFEST = path.join(OWN_FOLDER, "app.yml");

/** Makes all checks of `request` at the same time; the findings hold no secret. */
export async function runDoctor(
  request: DoctorRequest,
  context: CliContext,
  environment: Environment,
): Promise<readonly Finding[]> {
  if (request.folder !== undefined)
    return (await import("./doctor-folder.ts")).examineFolder(request, context, environment);
  const { signal } = context;
  const envFile = workingEnvFile(environment, ownStateFolder(environment));
  const inspected = inspectConfig(DEFAULT_PRICES, envFile, environment);
  const ask = createAsk(signal);
  const commands = botCommands();
  const checks: Check[] = [
    ...localChecks({
      inspected,
      envFile: envFile.path,
      databaseState: () => databaseState(inspected.config.database),
      commands,
    }),
    ...modelChecks(inspected, ask, request.model, tryModel(inspected.config.model, signal), commands),
  ];
  if (!request.offline) {
    const readSettings = createReadSettings(inspected);
    const { repository, beforeStart } = request;
    const { openGithubAccess } = await import("./doctor-github.ts");
    const github = () => openGithubAccess({ ...inspected.config.github, log: QUIET }, signal);
    const manifest = await readManifest();
    const parts = { inspected, ask, github, commands, manifest, readSettings, repository, beforeStart };
    checks.push(...githubChecks(parts));
  }
  const findings = await runChecks(checks);
  const secrets = secretsOf(inspected);
  return findings.map((finding) => withoutSecrets(finding, secrets));
}

async function readManifest(): Promise<Manifest> {
  const { parse } = await import("yaml");
  const shape = z.object({
    default_permissions: z.record(z.string(), z.enum(["read", "write"])),
    default_events: z.array(z.string()),
  });
  const { default_permissions, default_events } = shape.parse(parse(readFileSync(MANIFEST, "utf8")));
  return { permissions: default_permissions, events: default_events };
}

/** The secrets that other services could quote in their answers. */
function secretsOf({ config, keyText, sound }: InspectedConfig): readonly string[] {
  const { url } = config.database;
  const password = url === undefined || !URL.canParse(url) ? "" : new URL(url).password;
  return [
    ...(sound("WEBHOOK_SECRET") ? [config.github.webhookSecret] : []),
    ...[config.model.apiKey, config.model.openai.apiKey, config.dashboard.clientSecret].flatMap((key) => key ?? []),
    config.github.privateKey,
    keyText ?? "",
    password,
    decodeURIComponent(password),
  ];
}

const TABLES = ["executor", "run", "run_record", "model_call", "ledger", "remembered_version"];

/** Looks at the configured database, and makes and changes no tables. */
export async function databaseState({ dataDir, url }: Config["database"]): Promise<DatabaseState> {
  if (url === undefined && !existsSync(path.join(dataDir, "postgres"))) return { kind: "absent", place: dataDir };
  try {
    const { kind, pool, close } = await openAsItIs({ url, dataDir, log: QUIET, patienceMs: 0 });
    return await look(pool, kind).finally(close);
  } catch (error) {
    if (isMagisError(error, "DATA_DIRECTORY_IN_USE"))
      return { kind: "held", pid: error.data.pid as number | undefined };
    const remedy =
      url === undefined
        ? "The bot does not start before that is done; it moves and deletes nothing itself."
        : "Check DATABASE_URL, that the server runs, and that it admits this machine and user.";
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unusable", reason: `${reason.replace(/\.$/, "")}.`, remedy };
  }
}

async function look(pool: Pool, kind: Database["kind"]): Promise<DatabaseState> {
  const { rows: servers } = await pool.query<{ version: string; may_create: boolean }>(
    `SELECT current_setting('server_version') AS version,
            has_database_privilege(current_database(), 'CREATE') AS may_create`,
  );
  const { rows: there } = await pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'magis'",
  );
  const missing = TABLES.filter((table) => !there.some(({ name }) => name === table));
  const counted = missing.includes("run") ? undefined : await pool.query("SELECT count(*) AS runs FROM magis.run");
  return {
    kind: "open",
    what: kind === "embedded" ? "The embedded database" : `PostgreSQL ${servers[0]?.version}`,
    missing,
    mayCreate: servers[0]?.may_create === true,
    runs: Number(counted?.rows[0]?.runs ?? 0),
  };
}

/** Reads a repository's settings as a run does; when they have errors, gives label and branch without them. */
export function createReadSettings(inspected: InspectedConfig): GithubParts["readSettings"] {
  const { github, trigger } = inspected.config;
  return async (id) => {
    const { createSettingsReader } = await import("../admission/settings.ts");
    const { createOpenCodeHost } = await import("../github/api/code-host.ts");
    const read = createSettingsReader(operatorLimits(inspected.config));
    try {
      const host = await createOpenCodeHost({ ...github, log: QUIET, maxWaitSeconds: 1 })(id);
      const result = await read(id, host);
      const { label, branch } = "settings" in result ? result.settings : { ...DEFAULT_SETTINGS, label: trigger.label };
      const sample = branchOf(branch, 1, "a title");
      return { label, branch: sample, faults: "faults" in result ? result.faults : [] };
    } catch (error) {
      if (!isMagisError(error)) throw error;
      const fault = { file: ".github/magis.yml", line: 1, message: `it cannot be read: ${error.message}` };
      return { label: trigger.label, branch: branchOf(DEFAULT_SETTINGS.branch, 1, "a title"), faults: [fault] };
    }
  };
}
