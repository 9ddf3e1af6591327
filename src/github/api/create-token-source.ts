import type { Octokit } from "@octokit/rest";
import type { RepositoryId } from "../../model/repository-id.ts";

/** Gives an installation token; `renew` asks for a new one although the last seems valid. */
export type TokenSource = (renew?: boolean) => Promise<string>;

/** A clone of a large repository, begun with this much left, still ends in time. */
const MIN_LIFE_MS = 5 * 60_000;

/**
 * Installation tokens that reach `repository` only. They last an hour, which a run can outlive:
 * ask for one each time one is needed. The client of the app keeps them until shortly before they expire.
 * @param app a client that authenticates as the app
 * @param permissions all of the installation's when absent
 */
export function createTokenSource(
  app: Octokit,
  repository: RepositoryId,
  permissions?: Readonly<Record<string, "read" | "write">>,
): TokenSource {
  const read = async (refresh: boolean): Promise<{ token: string; expiresAt: string }> =>
    (await app.auth({
      type: "installation",
      installationId: repository.installationId,
      repositoryNames: [repository.name],
      ...(permissions === undefined ? {} : { permissions }),
      refresh,
    })) as { token: string; expiresAt: string };

  return async (renew = false) => {
    const current = await read(renew);
    const expiring = Date.parse(current.expiresAt) - Date.now() < MIN_LIFE_MS;
    return expiring && !renew ? (await read(true)).token : current.token;
  };
}
