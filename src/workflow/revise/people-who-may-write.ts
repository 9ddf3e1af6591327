import { isMagisError } from "../../model/magis-error.ts";
import type { IssueApi, Permission } from "../../ports/issue-api.ts";

const ENOUGH: readonly Permission[] = ["write", "maintain", "admin"];

/** Those of `logins` who may push to the repository; each is asked for once. */
export async function peopleWhoMayWrite(
  host: Pick<IssueApi, "permissionOf">,
  logins: readonly string[],
): Promise<ReadonlySet<string>> {
  const people = new Set<string>();
  for (const login of new Set(logins)) if (ENOUGH.includes(await permissionOf(host, login))) people.add(login);
  return people;
}

async function permissionOf(host: Pick<IssueApi, "permissionOf">, login: string): Promise<Permission> {
  try {
    return await host.permissionOf(login);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return "none";
    throw error;
  }
}
