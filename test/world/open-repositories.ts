import { createRepository } from "./git/create-repository.ts";
import type { RepositoryOptions, Settings } from "./options.ts";
import type { EmulateClient } from "./start-emulate.ts";
import type { RepositoryState, Role } from "./state.ts";

/** Emulate's names of the roles. */
const EMULATE_ROLE: Record<Role, string | undefined> = {
  admin: "admin",
  maintain: "maintain",
  write: "push",
  triage: "triage",
  read: "pull",
  none: undefined,
};

/** Creates the git repositories below `folder`, and adds their people and labels to emulate. */
export async function openRepositories(
  settings: Settings,
  folder: string,
  emulate: EmulateClient,
  installations: Map<string, number>,
): Promise<Map<string, RepositoryState>> {
  const open = async (options: RepositoryOptions): Promise<[string, RepositoryState]> => {
    const { owner, name, roles = {}, labels = [] } = options;
    const at = `/repos/${owner}/${name}`;
    for (const [login, role] of Object.entries(roles)) {
      const permission = EMULATE_ROLE[role];
      if (permission !== undefined) await emulate.ask("PUT", `${at}/collaborators/${login}`, { body: { permission } });
    }
    for (const label of labels) await emulate.ask("POST", `${at}/labels`, { body: { name: label, color: "ededed" } });
    const bare = await createRepository(folder, options);
    const repo: RepositoryState = {
      owner,
      name,
      private: options.private ?? false,
      defaultBranch: await bare.git("symbolic-ref", "--short", "HEAD"),
      installationId: installations.get(owner) ?? 0,
      roles: new Map(Object.entries(roles)),
      bare,
      pulls: new Map(),
      reviews: [],
      threads: [],
      reactions: [],
      statuses: [],
      checks: [],
      suites: [],
      workflows: [],
      signed: new Set(),
      minimized: new Map(),
      jobLogs: new Map(),
      parents: new Map(),
    };
    return [`${owner}/${name}`, repo];
  };
  return new Map(await Promise.all(settings.repositories.map(open)));
}
