import { z } from "zod";
import { type Finding, findingsOf } from "../findings.ts";
import { type Api, replyText } from "./ask.ts";
import type { Manifest, RegisteredApp } from "./check-app.ts";

const repositoryFinding = findingsOf("repository");

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** How the app reaches one repository. */
export interface Access {
  readonly installationId: number;
  readonly token: string;
}

export interface RepositoryExamined {
  readonly findings: readonly Finding[];
  /** absent where the app does not reach the repository */
  readonly access?: Access;
}

/** Whether the app is installed on the repository and is given a token for it with the permissions it needs. */
export async function checkRepository(
  api: Api,
  app: RegisteredApp,
  { owner, name }: RepositoryName,
  manifest: Manifest,
): Promise<RepositoryExamined> {
  const installed = await api.get(`/repos/${owner}/${name}/installation`);
  const found = z.object({ id: z.number() }).safeParse("data" in installed ? installed.data : undefined);
  if ("status" in installed && installed.status === 404) {
    const text = `The app is not installed on ${owner}/${name}, or there is no such repository.`;
    return { findings: [repositoryFinding.fault(text, `Install it, or select the repository: ${app.installUrl}`)] };
  }
  if ("silence" in installed || installed.status !== 200 || !found.success) {
    return { findings: [repositoryFinding.fault(`GitHub ${replyText(installed)}.`, "Try again later.")] };
  }
  const { id } = found.data;
  const grant = (body: object) => api.post(`/app/installations/${id}/access_tokens`, { repositories: [name], ...body });
  const full = await grant({ permissions: manifest.permissions });
  const token = tokenOf(full);
  if (token !== undefined) {
    const text = `The app is installed on ${owner}/${name} and gets a token with every permission it needs.`;
    return { findings: [repositoryFinding.ok(text)], access: { installationId: id, token } };
  }
  const text = `GitHub gives no token with the permissions the bot needs: it ${replyText(full)}.`;
  const remedy = `Grant the missing permissions at ${app.settingsUrl}/permissions, then accept them where the app is installed.`;
  const less = tokenOf(await grant({}));
  return {
    findings: [repositoryFinding.fault(text, remedy)],
    ...(less !== undefined && { access: { installationId: id, token: less } }),
  };
}

function tokenOf(reply: Awaited<ReturnType<Api["post"]>>): string | undefined {
  if ("silence" in reply || reply.status !== 201) return undefined;
  return z.object({ token: z.string() }).safeParse(reply.data).data?.token;
}

const defaultBranch = findingsOf("default branch");

const shape = z.object({
  default_branch: z.string(),
  archived: z.boolean().default(false),
  has_issues: z.boolean().default(true),
});

export interface BranchExamined {
  readonly findings: readonly Finding[];
  /** the default branch's name, where it can be read */
  readonly branch?: string;
}

/** Whether the branch that changes start from can be read, and the repository takes changes and issues at all. */
export async function checkDefaultBranch(api: Api, { owner, name }: RepositoryName): Promise<BranchExamined> {
  const reply = await api.get(`/repos/${owner}/${name}`);
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data)
    return { findings: [defaultBranch.fault(`GitHub ${replyText(reply)}.`)] };
  const branch = data.default_branch;
  const tip = await api.get(`/repos/${owner}/${name}/git/ref/heads/${encodeURI(branch)}`);
  const faults = [
    ...(data.archived
      ? [defaultBranch.fault("The repository is archived: nothing can be changed.", "Unarchive it.")]
      : []),
    ...(data.has_issues
      ? []
      : [defaultBranch.fault("Issues are turned off.", "Turn them on in the repository's settings.")]),
  ];
  if ("status" in tip && tip.status === 200) {
    return { findings: faults.length > 0 ? faults : [defaultBranch.ok(`${branch} can be read.`)], branch };
  }
  const empty = "status" in tip && (tip.status === 409 || tip.status === 404);
  const unread = empty
    ? defaultBranch.fault(`${branch} is not there: the repository is empty.`, "Push a first commit.")
    : defaultBranch.fault(
        `${branch} cannot be read: GitHub ${replyText(tip)}.`,
        "Grant the permission contents: write.",
      );
  return { findings: [...faults, unread] };
}

const labelFinding = findingsOf("label");

/** Whether the label that starts the bot is there to be given; a comment starts it without. */
export async function checkLabel(api: Api, { owner, name }: RepositoryName, label: string): Promise<Finding> {
  const reply = await api.get(`/repos/${owner}/${name}/labels/${encodeURIComponent(label)}`);
  if ("silence" in reply || ![200, 404].includes(reply.status))
    return labelFinding.skipped(`GitHub ${replyText(reply)}.`);
  if (reply.status === 200) return labelFinding.ok(`"${label}" is there.`);
  const quoted = `'${label.replaceAll("'", `'\\''`)}'`;
  return labelFinding.warning(`"${label}" is not there.`, `Run gh label create ${quoted} --repo ${owner}/${name}`);
}

const repositorySettings = findingsOf("repository settings");

/** As `readSettings` gives them, as far as they are told. */
export interface SettingsFaults {
  readonly faults: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

/** The faults of the repository's `.github/magis.yml`, and of the file that it extends. */
export async function checkSettingsFile(read: object | SettingsFaults): Promise<readonly Finding[]> {
  if (!("faults" in read)) return [repositorySettings.ok(".github/magis.yml is valid, or not there.")];
  return read.faults.map(({ file, line, message }) => repositorySettings.fault(`${file}, line ${line}: ${message}`));
}
