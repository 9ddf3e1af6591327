import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readText } from "../http-exchange.ts";
import type { SignInState, WorldState } from "../state.ts";
import type { FrontParts } from "./front-parts.ts";

/** What the manifest's conversion gives, too. */
export const CLIENT = { id: "Iv1.0", secret: "made-up" };

/**
 * GitHub's web flow for user tokens of an app: the page that asks the person who is signed in, which says yes at once, the
 * code's exchange, and the token's end. Gives whether it was such a request.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
 */
export async function signInRequest(
  { state }: FrontParts,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  const asked = `${request.method} ${url.pathname.replace(/^\/api\/v3(?=\/)/, "")}`;
  const json = (status: number, body?: object) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
    return true;
  };
  if (asked === "GET /login/oauth/authorize") {
    const back = authorise(state, url.searchParams);
    if (back === undefined) return json(404, { message: "Not Found" });
    response.writeHead(302, { location: back }).end();
    return true;
  }
  if (asked === "POST /login/oauth/access_token") {
    const given = JSON.parse(await readText(request)) as Given;
    // GitHub answers 200 to a wrong code, too.
    const token = exchange(state, given);
    return json(
      200,
      token === undefined
        ? { error: "bad_verification_code" }
        : { access_token: token, token_type: "bearer", scope: "" },
    );
  }
  if (asked === `DELETE /applications/${CLIENT.id}/token`) {
    const basic = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64");
    if (request.headers.authorization !== `Basic ${basic}`) return json(404, { message: "Not Found" });
    const { access_token: token = "" } = JSON.parse(await readText(request)) as { access_token?: string };
    return state.tokens.delete(token) ? json(204) : json(404, { message: "Not Found" });
  }
  return false;
}

type Given = Readonly<
  Partial<Record<"client_id" | "client_secret" | "code" | "redirect_uri" | "code_verifier", string>>
>;

type Code = SignInState["codes"] extends Map<string, infer One> ? One : never;

/** Where the browser goes back to; undefined for another app. */
function authorise({ signIn }: WorldState, words: URLSearchParams): string | undefined {
  const [redirect, challenge] = [words.get("redirect_uri") ?? "", words.get("code_challenge") ?? ""];
  const isAsked = words.get("client_id") === CLIENT.id && words.get("code_challenge_method") === "S256";
  if (!isAsked || challenge === "" || signIn.person === undefined) return undefined;
  const code = randomUUID();
  signIn.codes.set(code, { login: signIn.person, redirect, challenge });
  const back = new URL(redirect);
  back.searchParams.set("code", code);
  back.searchParams.set("state", words.get("state") ?? "");
  return back.href;
}

function exchange({ signIn, tokens }: WorldState, given: Given): string | undefined {
  const code: Code | undefined = signIn.codes.get(given.code ?? "");
  signIn.codes.delete(given.code ?? "");
  const challenge = createHash("sha256")
    .update(given.code_verifier ?? "")
    .digest("base64url");
  const isOurs = given.client_id === CLIENT.id && given.client_secret === CLIENT.secret;
  if (!isOurs || code === undefined || code.redirect !== given.redirect_uri || code.challenge !== challenge)
    return undefined;
  const token = `ghu_${randomUUID().replaceAll("-", "")}`;
  tokens.set(token, { kind: "user", login: code.login, token: `ghp_${code.login}` });
  return token;
}
