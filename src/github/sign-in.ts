import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { isMagisError, MagisError } from "../data/error.ts";
import type { RepositoryId } from "../data/run-request.ts";
import { createClient, createCompleteFetch, fetchOf, type GithubOptions } from "./client.ts";
import { attempt } from "./errors.ts";

/** What a sign-in is tied to, so that nobody else can end it. */
export interface SignInRequest {
  state: string;
  /** PKCE: SHA-256 of the verifier, in base64url */
  challenge: string;
  /** where the host sends the browser back to */
  redirectUrl: string;
}

/** Lets people sign in at the host, and asks it what they may do there. Methods throw MagisErrors HOST_…. */
export interface SignIn {
  /** Where the browser goes to sign in. */
  address(request: SignInRequest): string;
  /** Exchanges the code that the host gave the browser for the person's token; undefined when it takes no such code. */
  exchange(given: { code: string; verifier: string; redirectUrl: string }): Promise<string | undefined>;
  /** Whose token it is; undefined when it is valid no more. */
  login(token: string): Promise<string | undefined>;
  /** The repositories with the app to which the person may push; undefined when the token is valid no more. */
  repositories(token: string): Promise<readonly RepositoryId[] | undefined>;
  /** Makes the token invalid. */
  revoke(token: string): Promise<void>;
}

interface SignInOptions extends GithubOptions {
  clientId: string;
  clientSecret: string;
}

/** A person waits for the page. */
const TIMEOUT_MS = 10_000;

const tokenShape = z.object({ access_token: z.string().min(1) });

/**
 * People sign in to the app on GitHub, by the web flow with PKCE.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export function createSignIn(options: SignInOptions): SignIn {
  const { clientId, clientSecret, webUrl, apiUrl } = options;
  const impatient = { ...options, maxWaitSeconds: 0, timeoutMs: TIMEOUT_MS };
  const send = createCompleteFetch(fetchOf(options), TIMEOUT_MS);
  const clientOf = (token: string) => createClient(impatient, { authentication: { auth: token } });
  return {
    address({ state, challenge, redirectUrl }) {
      const address = new URL(`${webUrl}/login/oauth/authorize`);
      const words = {
        client_id: clientId,
        redirect_uri: redirectUrl,
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(words)) address.searchParams.set(name, value);
      return address.href;
    },
    async exchange({ code, verifier, redirectUrl }) {
      const response = await attempt("exchange the code of a sign-in", () =>
        send(`${webUrl}/login/oauth/access_token`, {
          method: "POST",
          redirect: "error",
          headers: { accept: "application/json", "content-type": "application/json", "user-agent": "magis" },
          body: JSON.stringify({
            client_id: clientId,
            client_secret: clientSecret,
            code,
            redirect_uri: redirectUrl,
            code_verifier: verifier,
          }),
        }),
      );
      if (!response.ok) throw failed(response.status);
      // A wrong code has status 200, too, and an `error` in place of the token.
      return tokenShape.safeParse(await response.json().catch(() => undefined)).data?.access_token;
    },
    login: (token) =>
      whileValid(async () => {
        const { data } = await attempt("say who has signed in", () => clientOf(token).rest.users.getAuthenticated());
        return data.login;
      }),
    repositories: (token) => whileValid(() => repositoriesOf(clientOf(token))),
    async revoke(token) {
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
      const response = await attempt("end a sign-in", () =>
        send(`${apiUrl}/applications/${clientId}/token`, {
          method: "DELETE",
          redirect: "error",
          headers: { authorization: `Basic ${basic}`, "content-type": "application/json", "user-agent": "magis" },
          body: JSON.stringify({ access_token: token }),
        }),
      );
      if (!response.ok && response.status !== 404 && response.status !== 422) throw failed(response.status);
    },
  };
}

const failed = (status: number) =>
  new MagisError("HOST_UNREACHABLE", `GitHub failed with status ${status} while somebody signed in.`, { status });

/** Undefined when GitHub says that it does not know the token (any more). */
async function whileValid<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isMagisError(error, "HOST_REFUSED") && error.data.status === 401) return undefined;
    throw error;
  }
}

/** The installations that GitHub lists are the app's, and of each the repositories that the person can reach. */
async function repositoriesOf(client: Octokit): Promise<readonly RepositoryId[]> {
  const installations = await attempt("list the installations that a person can reach", () =>
    client.paginate(client.rest.apps.listInstallationsForAuthenticatedUser, { per_page: 100 }),
  );
  const lists = installations.map(async ({ id }) => {
    const repositories = await attempt("list the repositories that a person can reach", () =>
      client.paginate(client.rest.apps.listInstallationReposForAuthenticatedUser, {
        installation_id: id,
        per_page: 100,
      }),
    ).catch((error: unknown) => {
      // A suspended installation, or one that wants another sign-on first: nothing of it is shown.
      if (isMagisError(error, "HOST_NOT_FOUND") || isForbidden(error)) return [];
      throw error;
    });
    return repositories
      .filter(({ permissions }) => permissions?.push === true)
      .map(({ name, owner }) => ({ owner: owner.login, name, installationId: id }));
  });
  return (await Promise.all(lists)).flat();
}

const isForbidden = (error: unknown): boolean => isMagisError(error, "HOST_REFUSED") && error.data.status === 403;
