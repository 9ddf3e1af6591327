import type { Actor, Answer, WorldState } from "../state.ts";
import { failure } from "./failure.ts";

/**
 * The sender of a request, or its 401: GitHub does not treat a wrong token as anonymous. Emulate checks a JWT's
 * signature; this function checks its lifetime, of at most ten minutes with a minute of clock drift.
 */
export function authenticate(state: WorldState, authorization: string | undefined): Actor | Answer {
  const token = /^(?:bearer|token) (.+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) return failure(401, "Requires authentication");
  if (token.startsWith("eyJ")) return authenticateApp(state, token);
  const actor = state.tokens.get(token);
  if (actor === undefined) return failure(401, "Bad credentials");
  if (actor.kind === "installation" && actor.expires <= Date.now()) return failure(401, "Bad credentials");
  return actor;
}

function authenticateApp(state: WorldState, token: string): Actor | Answer {
  let claims: { iat?: unknown; exp?: unknown; iss?: unknown };
  try {
    claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as typeof claims;
  } catch {
    return failure(401, "A JSON web token could not be decoded");
  }
  const now = Date.now() / 1000;
  const { iat, exp, iss } = claims;
  if (typeof exp !== "number" || exp <= now)
    return failure(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp - now > 600 + 60) return failure(401, "'Expiration time' claim ('exp') is too far in the future");
  if (typeof iat !== "number" || iat > now + 60)
    return failure(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  if (String(iss) !== String(state.app.id)) return failure(401, "'Issuer' claim ('iss') must be an Integer");
  return { kind: "app", login: state.app.login, token };
}
