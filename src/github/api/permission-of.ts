import type { Permission } from "../../ports/issue-api.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";

const ROLES: readonly string[] = ["admin", "maintain", "write", "triage", "read", "none"] satisfies Permission[];

/**
 * What `login` may do in the repository. A custom role counts as the standard one that it extends,
 * which GitHub gives in `permission`; a login that GitHub does not know may do nothing.
 */
export async function permissionOf(repository: GithubRepository, login: string): Promise<Permission> {
  const { client, owner, repo } = repository;
  return attempt(`read the permission of ${login}`, async () => {
    try {
      const { data } = await client.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login });
      return [data.role_name, data.permission].find(isPermission) ?? "none";
    } catch (error) {
      if (isHttpFailure(error) && error.status === 404) return "none";
      throw error;
    }
  });
}

function isPermission(role: string | undefined): role is Permission {
  return role !== undefined && ROLES.includes(role);
}
