import { createHash } from "node:crypto";
import { callbackOf, DASHBOARD_PATH } from "../data/dashboard-path.ts";
import type { Log } from "../data/log.ts";
import type { SignIn } from "../github/sign-in.ts";
import { isSameSecret, makeSecret } from "../text/secrets.ts";
import { type Asked, type Gate, type Reply, redirect } from "./gate.ts";
import type { People } from "./people.ts";
import { createSeal } from "./seal.ts";
import type { Templates } from "./templates.ts";

interface SignInParts {
  templates: Templates;
  signIn: SignIn;
  people: People;
  /** seals the cookies; every machine behind one address has the same */
  secret: string;
  /** where browsers reach the bot, e.g. `https://magis.example.com` */
  origin: string;
  log: Log;
  /** milliseconds since the epoch */
  now?: () => number;
}

const SESSION_SECONDS = 8 * 3600;

/** From the click on "Sign in" to GitHub's answer. */
const ATTEMPT_SECONDS = 600;

/** A sign-in under way. */
interface Attempt {
  state: string;
  verifier: string;
  /** the page that was asked for */
  to: string;
}

// No other host, and no page of http, can set a cookie of this prefix.
const SESSION = "__Host-magis-session";

const ATTEMPT = "__Host-magis-sign-in";

const PATHS = {
  signIn: `${DASHBOARD_PATH}/sign-in`,
  signedIn: `${DASHBOARD_PATH}/signed-in`,
  signOut: `${DASHBOARD_PATH}/sign-out`,
};

/**
 * Lets in people who have signed in with GitHub, with what GitHub lets them push to. The session is in a sealed cookie:
 * their token stays unreadable there, and is kept nowhere else.
 */
export function createSignInGate(parts: SignInParts): Gate {
  const { templates, people, secret, log, now } = parts;
  const sessions = createSeal<string>(secret, "session", SESSION_SECONDS, now);
  const attempts = createSeal<Attempt>(secret, "sign-in", ATTEMPT_SECONDS, now);

  const askToSignIn = (asked: Asked, cookies: readonly string[] = [], note = "") => {
    const to = asked.method === "GET" && isOwnPath(asked.path) ? asked.path : DASHBOARD_PATH;
    return signInPage(templates, to, cookies, note);
  };

  return async (asked) => {
    if (asked.path === PATHS.signIn) return begin(asked, parts, attempts);
    if (asked.path === PATHS.signedIn) {
      const attempt = attempts.open(asked.cookies.get(ATTEMPT) ?? "");
      const token = await finish(asked, parts, attempt).catch((error: unknown) => {
        log.warn({ error }, "GitHub did not take part in a sign-in");
        return undefined;
      });
      if (attempt === undefined || token === undefined)
        return signInPage(templates, attempt?.to ?? DASHBOARD_PATH, [gone(ATTEMPT)], NOT_SIGNED_IN, 403);
      return redirect(attempt.to, [cookie(SESSION, sessions.seal(token), SESSION_SECONDS), gone(ATTEMPT)]);
    }
    const token = sessions.open(asked.cookies.get(SESSION) ?? "");
    if (asked.path === PATHS.signOut) return signOut(asked, parts, token);
    if (token === undefined) return askToSignIn(asked);
    const visitor = await people.visitor(token).catch((error: unknown) => {
      log.warn({ error }, "GitHub does not say what a person may see on the dashboard; they see nothing");
      return "unknown" as const;
    });
    if (visitor === "unknown") return templates.fault(503, "GitHub does not say what you may see. Please try again.");
    if (visitor === undefined)
      return askToSignIn(asked, [gone(SESSION)], "GitHub does not know your sign-in any more.");
    if (visitor.visible.length > 0) return visitor;
    return templates.fault(403, "There is no repository with the bot to which you may push.", visitor);
  };
}

const NOT_SIGNED_IN = "The sign-in did not succeed, or took longer than ten minutes. Please begin again.";

const begin = (
  { query }: Asked,
  { signIn, origin }: SignInParts,
  attempts: { seal(attempt: Attempt): string },
): Reply => {
  const [state, verifier] = [makeSecret(), makeSecret()];
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const asked = query.get("to") ?? "";
  const attempt = { state, verifier, to: isOwnPath(asked) ? asked : DASHBOARD_PATH };
  const address = signIn.address({ state, challenge, redirectUrl: callbackOf(origin) });
  return redirect(address, [cookie(ATTEMPT, attempts.seal(attempt), ATTEMPT_SECONDS)]);
};

/** The person's token; undefined when this is not the answer to a sign-in that this browser began. */
async function finish(
  { query }: Asked,
  { signIn, origin }: SignInParts,
  attempt: Attempt | undefined,
): Promise<string | undefined> {
  const code = query.get("code") ?? "";
  if (attempt === undefined || code === "" || !isSameSecret(query.get("state") ?? "", attempt.state)) return undefined;
  return signIn.exchange({ code, verifier: attempt.verifier, redirectUrl: callbackOf(origin) });
}

/** A form of another site must not sign anybody out. */
async function signOut(
  { method, origin: from }: Asked,
  { templates, signIn, origin, log }: SignInParts,
  token: string | undefined,
): Promise<Reply> {
  if (method !== "POST" || from !== origin) return templates.fault(403, "The form was sent from another page.");
  // The cookie may have been copied: without its token it opens nothing.
  try {
    if (token !== undefined) await signIn.revoke(token);
  } catch (error) {
    log.warn({ error }, "a sign-in could not be ended on GitHub");
    return templates.fault(
      503,
      "GitHub does not answer, so you are still signed in. Please sign out again in a while.",
    );
  }
  return redirect(DASHBOARD_PATH, [gone(SESSION)]);
}

async function signInPage(
  templates: Templates,
  to: string,
  cookies: readonly string[],
  note: string,
  status = 401,
): Promise<Reply> {
  const address = `${PATHS.signIn}?to=${encodeURIComponent(to)}`;
  const page = { title: "Sign in", values: { address, note } };
  const reply = await templates.page("sign-in", undefined, page, status);
  return { ...reply, headers: { ...reply.headers, "set-cookie": cookies } };
}

/** A page of ours: GitHub's answer must lead to no other. */
const isOwnPath = (path: string): boolean =>
  path.length < 3_000 && /^\/dashboard(\/[\w%.~-]+)*$/.test(path) && !Object.values(PATHS).includes(path);

const cookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`;

const gone = (name: string): string => cookie(name, "", 0);
