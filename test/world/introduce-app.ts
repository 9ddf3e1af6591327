import { createSign } from "node:crypto";
import type { EmulateClient } from "./start-emulate.ts";

/**
 * Makes emulate create the app's bot account, which happens at the app's first write: here a request refused for its
 * empty body. Everything else can then show the account before the app has done anything.
 */
export async function introduceApp(
  emulate: EmulateClient,
  appId: number,
  installation: number,
  repository: string,
): Promise<void> {
  const jwt = appJwt(emulate, appId);
  const grant = await emulate.ask("POST", `/app/installations/${installation}/access_tokens`, { body: {}, token: jwt });
  const { token } = grant.body as { token: string };
  for (const path of ["issues", "pulls", "git/blobs"])
    await emulate.ask("POST", `/repos/${repository}/${path}`, { body: {}, token });
}

/** What the app itself signs in with. */
export function appJwt({ privateKey }: Pick<EmulateClient, "privateKey">, appId: number): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 60, iss: String(appId) })}`;
  return `${claims}.${createSign("RSA-SHA256").update(claims).sign(privateKey, "base64url")}`;
}
