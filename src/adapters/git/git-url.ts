import { MagisError } from "../../model/magis-error.ts";

/** The URL without slashes at its end, user or password. Throws GIT_UNREACHABLE when it is no http or https URL. */
export function gitUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new MagisError("GIT_UNREACHABLE", "The repository's address is no http or https URL.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
