import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { MagisError } from "../data/error.ts";

export interface GitRequest {
  method: "GET" | "POST";
  /** what follows the repository's URL, such as "/git-upload-pack" */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer;
}

export interface GitResponse {
  headers: IncomingHttpHeaders;
  /** must be read; throws MagisError when it breaks off, is too slow or is cancelled */
  body: AsyncGenerator<Buffer>;
}

/** Sends one request to the repository's host. Throws MagisError unless the status is 200. */
export type GitTransport = (request: GitRequest) => Promise<GitResponse>;

export interface GitTransportOptions {
  url: string;
  token?: (() => Promise<string>) | undefined;
  signal?: AbortSignal | undefined;
  limits: GitLimits;
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
 * Requests to one repository over HTTP, with time limits and token. Each request asks for the token, which goes to the
 * URL's own origin only; redirects within it are followed, others throw GIT_REDIRECT_REFUSED. Also: GIT_TOKEN_REFUSED,
 * GIT_NOT_FOUND, GIT_UNREACHABLE, GIT_TIMEOUT, and RUN_CANCELLED when the signal fires.
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

export interface RequestToSend {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | undefined;
  limits: GitLimits;
  signal?: AbortSignal | undefined;
}

export interface SentResponse {
  response: IncomingMessage;
  /** read to its end or to its error; throws MagisError */
  body: AsyncGenerator<Buffer>;
  /** instead of reading the body */
  close: () => void;
}

function cancelled(signal: AbortSignal): MagisError {
  if (signal.reason instanceof MagisError) return signal.reason;
  return new MagisError("RUN_CANCELLED", "The transfer was cancelled.", {}, signal.reason);
}

/**
 * Sends one HTTP request on its own connection, within the time limits and until `signal` fires. Gives the response
 * whatever its status. Throws GIT_UNREACHABLE, GIT_TIMEOUT, RUN_CANCELLED.
 */
function sendRequest({ url, method, headers, body, limits, signal }: RequestToSend): Promise<SentResponse> {
  const { host } = url;
  return new Promise((resolve, reject) => {
    /** Why we ended it; sockets then report something else. */
    let failure: MagisError | undefined;
    let response: IncomingMessage | undefined;
    const open = url.protocol === "https:" ? httpsRequest : httpRequest;
    const outgoing = open(url, { method, headers, agent: false, timeout: limits.timeoutMs });
    const fail = (error: MagisError): void => {
      failure ??= error;
      response?.destroy(failure);
      outgoing.destroy(failure);
    };
    const failSlow = (what: string, ms: number): void =>
      fail(new MagisError("GIT_TIMEOUT", `The git server ${host} ${what} ${ms / 1000} seconds.`, { host, ms }));
    const onAbort = (): void => {
      if (signal) fail(cancelled(signal));
    };
    const total = setTimeout(() => failSlow("was not done after", limits.totalTimeoutMs), limits.totalTimeoutMs);
    const release = (): void => {
      clearTimeout(total);
      signal?.removeEventListener("abort", onAbort);
    };
    const broken = (cause: unknown): MagisError =>
      failure ?? new MagisError("GIT_UNREACHABLE", `The connection to the git server ${host} failed.`, { host }, cause);
    async function* read(incoming: IncomingMessage): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of incoming) yield chunk;
      } catch (cause) {
        throw broken(cause);
      } finally {
        release();
        outgoing.destroy();
      }
    }
    outgoing.on("timeout", () => failSlow("sent nothing for", limits.timeoutMs));
    outgoing.on("error", (cause) => {
      release();
      reject(broken(cause));
    });
    outgoing.on("response", (incoming) => {
      response = incoming;
      const close = (): void => {
        release();
        outgoing.destroy();
      };
      resolve({ response: incoming, body: read(incoming), close });
    });
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    else outgoing.end(body);
  });
}

/** The error for an HTTP status other than 200, from the server `host`. */
function statusError(status: number, host: string): MagisError {
  const data = { status, host };
  if (status === 401 || status === 403) {
    return new MagisError("GIT_TOKEN_REFUSED", `The git server ${host} refused the token (HTTP ${status}).`, data);
  }
  if (status === 404 || status === 410) {
    return new MagisError("GIT_NOT_FOUND", `The git server ${host} knows no such repository, or hides it.`, data);
  }
  return new MagisError("GIT_UNREACHABLE", `The git server ${host} answered with HTTP ${status}.`, data);
}

/** All bytes of a body. Throws GIT_UNREACHABLE when there are more than `maxBytes`. */
export async function collectBody(body: AsyncIterable<Uint8Array>, maxBytes: number = 64 << 20): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes)
      throw new MagisError("GIT_UNREACHABLE", "The server's answer is far too long.", { maxBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The URL without slashes at its end, user or password. Throws GIT_UNREACHABLE when it is no http or https URL. */
export function gitUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new MagisError("GIT_UNREACHABLE", "The repository's address is no http or https URL.");
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
}

/** What one clone or push may cost. */
export interface GitLimits {
  /** bytes of all objects of a clone once inflated; default 1 GiB */
  maxUnpackedBytes: number;
  /** longest silence in milliseconds; default 30 s */
  timeoutMs: number;
  /** milliseconds for one clone or push as a whole; default 10 min */
  totalTimeoutMs: number;
  /** leave out blobs larger than this many bytes, where the server can; absent: fetch all */
  blobLimit?: number;
}

/** The limits with every default filled in. */
export function gitLimits(limits: Partial<GitLimits> = {}): GitLimits {
  return { maxUnpackedBytes: 2 ** 30, timeoutMs: 30_000, totalTimeoutMs: 600_000, ...limits };
}
