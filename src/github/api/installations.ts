import { createAppAuth } from "@octokit/auth-app";
import type { RepositoryId } from "../../model/run-request.ts";
import { createClient, createRequestLane } from "./client.ts";
import { clientSettings, type GithubOptions } from "./code-host.ts";
import { attempt, isHttpFailure } from "./errors.ts";

/** Makes the function that finds the app's installation on a repository; undefined where it is not installed. */
export function createInstallationFinder(
  options: Pick<GithubOptions, "appId" | "privateKey" | "apiUrl" | "webUrl" | "fetch" | "log">,
): (repository: Pick<RepositoryId, "owner" | "name">) => Promise<number | undefined> {
  const { appId, privateKey } = options;
  const auth = { authStrategy: createAppAuth, auth: { appId, privateKey } };
  const app = createClient(clientSettings(options), auth, createRequestLane());
  return ({ owner, name: repo }) =>
    attempt("find the app's installation", async () => {
      try {
        const { data } = await app.rest.apps.getRepoInstallation({ owner, repo });
        return data.suspended_at ? undefined : data.id;
      } catch (error) {
        if (isHttpFailure(error) && error.status === 404) return undefined;
        throw error;
      }
    });
}
