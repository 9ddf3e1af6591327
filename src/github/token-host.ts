import { MagisError } from "../data/error.ts";
import { hostApis } from "./app-host.ts";
import { clockOf, createClient, fetchOf, type GithubOptions } from "./client.ts";
import type { OpenCodeHost } from "./code-host.ts";
import { attempt, isHttpFailure } from "./errors.ts";

export interface TokenHostOptions extends GithubOptions {
  /** a personal access token, the GitHub CLI's, or an Actions job's; absent: what everybody may read */
  token?: string | undefined;
  /** the login to act as, when another token writes; by default the token's owner */
  login?: string;
}

/**
 * Opens hosts of repositories on GitHub, acting as a token's owner. Everything that this person or bot wrote before
 * counts as its own. The first one asks GitHub who the owner is, and throws like any method of `CodeHost`.
 */
export function createOpenTokenHost(options: TokenHostOptions): OpenCodeHost {
  const { token, webUrl: web, login: given = token === undefined ? "" : undefined } = options;
  const authentication = token === undefined ? {} : { auth: token };
  const client = createClient({ maxWaitSeconds: PATIENCE_SECONDS, ...options }, { authentication });
  let identity: Promise<Owner> | undefined;

  return async ({ owner, name }) => {
    identity ??= given === undefined ? ownerOf(client) : Promise.resolve({ login: given, id: 0 });
    const { login, id } = await identity;
    const [send, clock] = [fetchOf(options), clockOf(options)];
    const repository = { client, readerFor: () => client, fetch: send, clock, owner, repo: name, login };
    const domain = `users.noreply.${new URL(web).hostname}`;
    return {
      ...hostApis(repository, web),
      login,
      author: { name: login, email: `${id}+${login}@${domain}` },
      cloneToken: async () => token ?? "",
    };
  };
}

/** Longer than for the app, because nobody repeats a command's work later. */
const PATIENCE_SECONDS = 900;

interface Owner {
  login: string;
  id: number;
}

const VIEWER = "query { viewer { login databaseId } }";

/** An Actions job's token may not ask REST for its user, but GraphQL's `viewer` works. */
async function ownerOf(client: ReturnType<typeof createClient>): Promise<Owner> {
  const owner = await attempt("say whose token it is", async () => {
    try {
      return (await client.rest.users.getAuthenticated()).data;
    } catch (error) {
      if (!isHttpFailure(error) || error.status !== 403) throw error;
      const { viewer } = await client.graphql<{ viewer: { login: string; databaseId: number } }>(VIEWER);
      return { login: viewer.login, id: viewer.databaseId };
    }
  });
  if (owner?.login) return { login: owner.login, id: owner.id };
  throw new MagisError("HOST_REFUSED", "GitHub does not say whose token it is.");
}
