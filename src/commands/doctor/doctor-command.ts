import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { untilAborted } from "../../data/cancellation.ts";
import { isMagisError } from "../../data/error.ts";
import { branchOf } from "../../data/marks.ts";
import { OWN_FOLDER } from "../../data/own-files.ts";
import { DEFAULT_SETTINGS } from "../../data/setting-definitions/all-settings.ts";
import { type AppKey, byTokens, openAppAccess } from "../../github/access.ts";
import { createClient, type GithubOptions } from "../../github/client.ts";
import { modelKeys } from "../../settings/environment/config.ts";
import { operatorLimits } from "../../settings/environment/operator.ts";
import type { InspectedConfig } from "../../settings/environment/read-config.ts";
import type { CliCommand, CliInput, CliOption, CliResult } from "../cli-command.ts";
import { type Check, type Finding, findingsText, runChecks, withoutSecrets } from "../findings.ts";
import type { Manifest } from "./check-app.ts";
import type { GithubAccess, RepositoryParts } from "./check-repository.ts";
import {
  createDoctor,
  type DoctorContext,
  type DoctorRequest,
  githubChecks,
  localChecks,
  modelChecks,
} from "./list-checks.ts";

const DOCTOR_OPTIONS = [
  {
    name: "repo",
    argument: "FOLDER",
    description: "look at a working copy, its settings and the model's key instead, without an app",
  },
  { name: "offline", description: "look at the configuration and the database only" },
  { name: "no-model", description: "do not ask the model's provider: no call that costs" },
  { name: "call", description: "also make one tiny paid call of each model, and say what it cost" },
  { name: "json", description: "the findings as JSON" },
] as const satisfies readonly CliOption[];

/** `magis doctor`: checks everything the bot needs and says what to do. */
export const doctorCommand: CliCommand<typeof DOCTOR_OPTIONS> = {
  waiting: "looking at everything at once",
  examples: ["doctor", "doctor acme/shop --call", "doctor --repo ."],
  options: DOCTOR_OPTIONS,
  async run({ operand: repository, options }, context) {
    const [owner = "", name = "", ...rest] = repository?.split("/") ?? [];
    if (rest.length > 0 || (repository !== undefined && ![owner, name].every(isName))) {
      return { exitCode: 2, text: "Name one repository as OWNER/REPO: magis doctor OWNER/REPO" };
    }
    if (options.call && (options["no-model"] || options.offline)) {
      return { exitCode: 2, text: "--call asks the model, which --no-model and --offline forbid." };
    }
    if (options.repo !== undefined && repository !== undefined) {
      return { exitCode: 2, text: "--repo looks at a folder: leave OWNER/REPO out, or --repo." };
    }
    const request: DoctorRequest = {
      repository: repository === undefined ? undefined : { owner, name },
      offline: options.offline === true,
      model: modelExtent(options),
    };
    const findings = await (options.repo === undefined
      ? runDoctor(request, context)
      : (await import("./doctor-folder.ts")).examineFolder(options.repo, request, context));
    if (context.signal.aborted) return { exitCode: 130, text: "Cancelled." };
    return result(findings, options.json === true, context.columns);
  },
};

function modelExtent(options: CliInput<typeof DOCTOR_OPTIONS>["options"]): DoctorRequest["model"] {
  if (options.call) return "paid";
  return options["no-model"] || options.offline ? "none" : "free";
}

function isName(text: string): boolean {
  return /^[\w.-]{1,100}$/.test(text);
}

/** Finding a fault is a result, not a failure of the command: the text goes to standard output either way. */
function result(findings: readonly Finding[], json: boolean, columns: number | undefined): CliResult {
  const exitCode = findings.some(({ level }) => level === "fault") ? 1 : 0;
  const output = json
    ? JSON.stringify({ ok: exitCode === 0, findings }, undefined, 2)
    : findingsText(findings, columns);
  return { exitCode, text: "", output: `${output}\n` };
}

/** The findings say all that there is to say. */
const ignore = (): void => undefined;
const QUIET = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const MANIFEST = path.join(OWN_FOLDER, "app.yml");

/** Makes all checks of `request` at the same time; the findings hold no secret. Throws RUN_CANCELLED. */
export async function runDoctor(request: DoctorRequest, context: DoctorContext): Promise<readonly Finding[]> {
  const doctor = createDoctor(request, context);
  const { inspected } = doctor;
  const checks: Check[] = [...localChecks(doctor), ...modelChecks(doctor)];
  if (!request.offline) {
    const openGithub = () => openGithubAccess({ ...inspected.config.github, log: QUIET });
    const parts = { openGithub, manifest: await readManifest(), readSettings: createReadSettings(inspected) };
    checks.push(...githubChecks(doctor, parts));
  }
  const findings = await untilAborted(runChecks(checks), context.signal);
  const secrets = secretsOf(inspected);
  return findings.map((finding) => withoutSecrets(finding, secrets));
}

/** A person waits for the findings: one repeat, for a connection that turns out to be closed. */
const HASTY = { timeoutMs: 10_000, maxWaitSeconds: 0.5 };

/** The bot's own client, with less patience. */
export function openGithubAccess(options: GithubOptions & AppKey): GithubAccess {
  const hasty = { ...HASTY, ...options };
  return {
    ...openAppAccess(options, (authentication) => createClient(hasty, { authentication })),
    withTokens: (tokens) => createClient(hasty, { authentication: byTokens(tokens) }),
  };
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
    ...modelKeys(config),
    config.dashboard.clientSecret ?? "",
    config.github.privateKey,
    keyText ?? "",
    password,
    decodeURIComponent(password),
  ];
}

/** Reads a repository's settings as a run does; when they have errors, gives label and branch without them. */
export function createReadSettings(inspected: InspectedConfig): RepositoryParts["readSettings"] {
  const { github, trigger } = inspected.config;
  return async (id) => {
    const { createSettingsReader } = await import("../../webhooks/admission/settings.ts");
    const { createOpenCodeHost } = await import("../../github/app-host.ts");
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
