import { createSign } from "node:crypto";
import type { Settings } from "./options.ts";
import type { EmulateClient } from "./start-emulate.ts";
import type { RepositoryState, WorldState } from "./state.ts";

/**
 * Makes emulate create the app's bot account, which happens at the app's first write: here a request refused for its
 * empty body. Everything else can then show the account before the app has done anything. Gives the app's token.
 */
export async function introduceApp(
  emulate: EmulateClient,
  appId: number,
  installation: number,
  repository: string,
): Promise<string> {
  const jwt = appJwt(emulate, appId);
  const grant = await emulate.ask("POST", `/app/installations/${installation}/access_tokens`, { body: {}, token: jwt });
  const { token } = grant.body as { token: string };
  for (const path of ["issues", "pulls", "git/blobs"])
    await emulate.ask("POST", `/repos/${repository}/${path}`, { body: {}, token });
  return token;
}

/** An app beside the bot. */
interface OtherApp {
  id: number;
  slug: string;
  /** Its installation where the bot has this one. */
  installationOf(installation: number): number;
}

export function otherApps({ app, bots }: Settings): OtherApp[] {
  return bots.map((slug, index) => ({
    id: app.id + 1 + index,
    slug,
    installationOf: (installation) => installation + 1000 * (index + 1),
  }));
}

/** The token that an app beside the bot has in a repository. */
export const tokenOfBot = (login: string, { installationId }: Pick<RepositoryState, "installationId">) =>
  `ghs_${login}_${installationId}`;

/** Gives the apps beside the bot their accounts, and a token in each repository that never expires. */
export async function introduceOthers(
  { emulate, tokens, repositories }: WorldState,
  settings: Settings,
): Promise<void> {
  for (const { id, slug, installationOf } of otherApps(settings))
    for (const [name, repo] of repositories) {
      const login = `${slug}[bot]`;
      tokens.set(tokenOfBot(login, repo), {
        kind: "installation",
        login,
        token: await introduceApp(emulate, id, installationOf(repo.installationId), name),
        installationId: repo.installationId,
        permissions: settings.app.permissions,
        repositories: undefined,
        expires: Number.POSITIVE_INFINITY,
      });
    }
}

/** What the app itself signs in with. */
export function appJwt({ privateKey }: Pick<EmulateClient, "privateKey">, appId: number): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 60, iss: String(appId) })}`;
  return `${claims}.${createSign("RSA-SHA256").update(claims).sign(privateKey, "base64url")}`;
}
