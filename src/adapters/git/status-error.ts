import { MagisError } from "../../model/magis-error.ts";

/** The error for an HTTP status other than 200, from the server `host`. */
export function statusError(status: number, host: string): MagisError {
  const data = { status, host };
  if (status === 401 || status === 403) {
    return new MagisError("GIT_TOKEN_REFUSED", `The git server ${host} refused the token (HTTP ${status}).`, data);
  }
  if (status === 404 || status === 410) {
    return new MagisError("GIT_NOT_FOUND", `The git server ${host} knows no such repository, or hides it.`, data);
  }
  return new MagisError("GIT_UNREACHABLE", `The git server ${host} answered with HTTP ${status}.`, data);
}
