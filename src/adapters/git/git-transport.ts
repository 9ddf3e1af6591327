import type { IncomingHttpHeaders } from "node:http";
import { MagisError } from "../../model/magis-error.ts";
import type { GitLimits } from "./git-limits.ts";
import { sendRequest } from "./send-request.ts";
import { statusError } from "./status-error.ts";

export interface GitRequest {
  readonly method: "GET" | "POST";
  /** what follows the repository's URL, such as "/git-upload-pack" */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface GitResponse {
  readonly headers: IncomingHttpHeaders;
  /** the body as it comes; throws MagisError when it breaks off, is too slow or was cancelled. It must be read. */
  readonly body: AsyncGenerator<Buffer>;
}

/** Sends one request to the repository's host. Gives the answer when its status is 200, throws MagisError otherwise. */
export type GitTransport = (request: GitRequest) => Promise<GitResponse>;

export interface GitTransportOptions {
  readonly url: string;
  readonly token?: (() => Promise<string>) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits: GitLimits;
}

const MAX_REDIRECTS = 3;

/** Where a redirect leads. Throws GIT_REDIRECT_REFUSED when that is another host, port or protocol. */
function redirectTarget(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  const message = `The git server ${from.host} redirects to another host, which is not followed.`;
  throw new MagisError("GIT_REDIRECT_REFUSED", message, { host: from.host, to: to?.host });
}

/**
 * Requests to one repository over HTTP, with the time limits and the token.
 * The token is asked for anew for every request and goes to the URL's own origin only; a redirect within that origin is
 * followed, one elsewhere throws GIT_REDIRECT_REFUSED. Further: GIT_TOKEN_REFUSED, GIT_NOT_FOUND, GIT_UNREACHABLE,
 * GIT_TIMEOUT, and RUN_CANCELLED when the signal fires.
 */
export function createGitTransport(options: GitTransportOptions): GitTransport {
  const { limits, signal } = options;
  return async ({ method, path, body: sent, headers: given }) => {
    const headers: Record<string, string> = { "user-agent": "git/magis", ...given };
    if (sent) headers["content-length"] = String(sent.length);
    const token = await options.token?.();
    if (token) headers.authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    let url = new URL(options.url + path);
    for (let redirects = 0; ; redirects++) {
      const { response, body, close } = await sendRequest({ url, method, headers, body: sent, limits, signal });
      const status = response.statusCode ?? 0;
      if (status === 200) return { headers: response.headers, body };
      close();
      const { location } = response.headers;
      if (status < 300 || status > 399 || !location || redirects === MAX_REDIRECTS) throw statusError(status, url.host);
      url = redirectTarget(url, location);
    }
  };
}
