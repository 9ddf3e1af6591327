import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { DEFAULT_PRICES } from "../adapters/anthropic/default-prices.ts";
import type { CliContext } from "../cli/cli-command.ts";
import { checkConfiguration } from "../cli/doctor/check-configuration.ts";
import { checkDatabase } from "../cli/doctor/check-database.ts";
import { checkDiskSpace } from "../cli/doctor/check-disk-space.ts";
import { checkEnvFile } from "../cli/doctor/check-env-file.ts";
import { checkFileRights } from "../cli/doctor/check-file-rights.ts";
import { checkNode } from "../cli/doctor/check-node.ts";
import { createAsk } from "../cli/doctor/create-ask.ts";
import type { DoctorRequest } from "../cli/doctor/create-doctor-command.ts";
import type { Finding } from "../cli/doctor/finding.ts";
import { githubChecksDoctor } from "../cli/doctor/github-checks-doctor.ts";
import { hideSecrets } from "../cli/doctor/hide-secrets.ts";
import type { Manifest } from "../cli/doctor/manifest.ts";
import { modelChecksDoctor } from "../cli/doctor/model-checks-doctor.ts";
import { type Check, runChecks } from "../cli/doctor/run-checks.ts";
import { inspectConfig } from "../config/environment/config.ts";
import type { InspectedConfig } from "../config/environment/inspect-texts.ts";
import { databaseStateDoctor } from "./database-state-doctor.ts";

const MANIFEST = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "app.yml");
const ENV_FILE = ".env";

/** Looks at everything `request` asks for, all at once; the findings hold no secret. */
export async function runDoctor(request: DoctorRequest, { signal }: CliContext): Promise<readonly Finding[]> {
  const inspected = inspectConfig(DEFAULT_PRICES, ENV_FILE);
  const ask = createAsk(signal);
  const checks = [
    ...localChecks(inspected),
    ...modelChecksDoctor(inspected, ask, request.model),
    ...(request.offline ? [] : githubChecksDoctor({ inspected, ask, manifest: readManifest(), ...request })),
  ];
  const findings = await runChecks(checks);
  const secrets = secretsOf(inspected);
  return findings.map((finding) => hideSecrets(finding, secrets));
}

function localChecks(inspected: InspectedConfig): readonly Check[] {
  const { database } = inspected.config;
  const located = inspected.sound("DATABASE_URL", "MAGIS_DATA_DIR");
  return [
    { name: "Node.js", run: () => checkNode(process.version) },
    { name: "configuration", run: () => checkConfiguration(inspected.faults) },
    { name: ".env file", run: () => checkEnvFile(path.resolve(ENV_FILE)) },
    { name: ".env file", run: () => checkFileRights(".env file", path.resolve(ENV_FILE)) },
    { name: "private key file", run: () => checkFileRights("private key file", inspected.keyFile) },
    ...(located && database.url === undefined
      ? [{ name: "data directory", run: () => checkDiskSpace(database.dataDir) }]
      : []),
    ...(located ? [{ name: "database", run: async () => checkDatabase(await databaseStateDoctor(database)) }] : []),
  ];
}

function readManifest(): Manifest {
  const shape = z.object({
    default_permissions: z.record(z.string(), z.enum(["read", "write"])),
    default_events: z.array(z.string()),
  });
  const { default_permissions, default_events } = shape.parse(parse(readFileSync(MANIFEST, "utf8")));
  return { permissions: default_permissions, events: default_events };
}

/** What others could quote back to us. */
function secretsOf({ config, keyText, sound }: InspectedConfig): readonly string[] {
  const { url } = config.database;
  const password = url === undefined || !URL.canParse(url) ? "" : new URL(url).password;
  return [
    ...(sound("WEBHOOK_SECRET") ? [config.github.webhookSecret] : []),
    ...(sound("ANTHROPIC_API_KEY") ? [config.model.apiKey] : []),
    ...[config.github.privateKey, keyText ?? "", password, decodeURIComponent(password)],
  ];
}
