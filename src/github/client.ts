import { Octokit } from "@octokit/rest";
import { MagisError } from "../data/error.ts";
import { boundBodies, LONGEST_REFUSAL, readBeginning } from "../text/bounded.ts";
import type { Authentication } from "./access.ts";
import { type GraphqlError, type HttpFailure, isHttpFailure, isRateLimited, mayPass, pauseOf } from "./errors.ts";
import { type Observers, observed, type Sending } from "./observe.ts";
import { CLOCK, type Clock, createPace, type Pace } from "./pace.ts";
import { guardWrite } from "./posted-fields.ts";

/** Where GitHub is, and how it is asked: shared by all clients of a process. */
export interface GithubOptions extends Observers {
  /** root of the REST API (GraphQL's is derived from it): `https://api.github.com`, `https://ghe.example.com/api/v3` */
  apiUrl: string;
  /** `https://github.com`; git's addresses append `/owner/name.git` */
  webUrl: string;
  fetch?: typeof fetch | undefined;
  /** the longest wait before one repeat; a minute by default, because for longer ones the run is put aside */
  maxWaitSeconds?: number | undefined;
  /** how long an answer may take; a minute by default */
  timeoutMs?: number | undefined;
  /** the machine's by default */
  clock?: Clock | undefined;
}

/** Who asks. */
export interface Asker extends Pick<Sending, "installation" | "repository"> {
  authentication: Authentication;
  /** shared by all clients of an installation; by default the client's own */
  pace?: Pace;
}

/**
 * A client of GitHub's APIs. This is the one way to GitHub, and these are its stages: each request passes the door of
 * what may be posted, waits for its turn, and is repeated when that is safe; each attempt is observed and authenticated
 * anew. Bodies that it reads are cut at GitHub's own limit.
 */
export function createClient(options: GithubOptions, asker: Asker): Octokit {
  const { pace = paceFor(options), authentication } = asker;
  const client = new Octokit({
    // The last stage: the library authenticates what it is about to send.
    ...authentication,
    baseUrl: options.apiUrl,
    userAgent: "magis",
    log: { debug: ignore, info: ignore, warn: (message: string) => options.log.warn({}, message), error: ignore },
    request: { fetch: createCompleteFetch(fetchOf(options), options.timeoutMs) },
  });
  client.hook.wrap("request", async (send, given) => {
    guardWrite(given);
    const request = requestOf(given, client.request.endpoint(given).url);
    const response = await pace.inTurn(request, () =>
      repeated(request, pace, options, () => observed(options, { ...asker, ...request }, async () => send(given))),
    );
    boundBodies(response.data);
    return response;
  });
  return client;
}

const ignore = (): void => undefined;

const LONGEST_WAIT_S = 60;

const maxWaitOf = ({ maxWaitSeconds = LONGEST_WAIT_S }: GithubOptions): number => maxWaitSeconds * 1000;

export const clockOf = ({ clock = CLOCK }: Pick<GithubOptions, "clock">): Clock => clock;

export const paceFor = (options: GithubOptions): Pace => createPace(maxWaitOf(options), clockOf(options));

export const fetchOf = (options: Pick<GithubOptions, "fetch">): typeof fetch =>
  options.fetch ?? ((...request) => fetch(...request));

/** What a request does. */
interface Request extends Pick<Sending, "method" | "path" | "route" | "called" | "isRead"> {
  /** it makes something on GitHub, such as a comment, as opposed to changing what is there */
  creates: boolean;
  /** carrying it out twice changes no more than carrying it out once */
  repeatable: boolean;
  /** its answer is HTML */
  renders: boolean;
}

interface Given {
  method: string;
  url: string;
  /** of GraphQL */
  query?: unknown;
  variables?: unknown;
}

/**
 * Reads are GET, HEAD, and by POST GraphQL's queries, requests for a token, and texts to render, which are kept
 * nowhere. Any other POST creates something, except mutations without a text.
 */
function requestOf(given: object, address: string): Request {
  const { method, url, query, variables } = given as Given;
  const renders = url === "/markdown";
  const isQuery = typeof query === "string" && /^\s*query\b/.test(query);
  const isRead = ["GET", "HEAD"].includes(method) || isQuery || renders || url.endsWith("/access_tokens");
  const hasText = typeof query !== "string" || Object.hasOwn(Object(variables), "body");
  return {
    method,
    path: new URL(address).pathname,
    // A further page comes by its whole address.
    route: url.startsWith("/") ? url : "a further page",
    called: typeof query === "string" ? /\{\s*(\w+)/.exec(query)?.[1] : undefined,
    isRead,
    creates: !isRead && method === "POST" && hasText,
    repeatable: isRead || ["PATCH", "DELETE"].includes(method),
    renders,
  };
}

const BACKOFF_MS = [500, 1000, 2000];

const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Makes a request, and makes it again after a failure that may pass. Reads and changes are repeated after faults of
 * the network and 5xx, reads also when GraphQL has answered in part. A creation is repeated only if it certainly was
 * not carried out: it never left, or GitHub's rate limit refused it. Whoever wants it made after any other failure
 * looks for its mark first.
 */
async function repeated<T extends { status: number; data: unknown }>(
  request: Request,
  pace: Pace,
  options: GithubOptions,
  send: () => Promise<T>,
): Promise<T> {
  const { method, path, creates } = request;
  for (let failures = 0; ; failures++) {
    let delay: number | undefined;
    try {
      const response = await send();
      if (request.renders) return response;
      const isInPart = isPart(requireData(response).data) && request.isRead;
      delay = isInPart ? BACKOFF_MS[failures] : undefined;
      if (delay === undefined) return response;
    } catch (error) {
      if (!isHttpFailure(error)) throw error;
      const limit = isRateLimited(error) ? pauseOf(error) : undefined;
      if (limit !== undefined) options.log.warn({ method, path, pause: limit }, "GitHub's rate limit is reached");
      delay = delayAfter(error, request, failures, maxWaitOf(options));
      if (creates) pace.putOff(limit ?? delay ?? 0);
      if (delay === undefined) throw error;
    }
    options.log.debug({ method, path, delay }, "repeating a request to GitHub");
    await clockOf(options).wait(delay);
  }
}

/**
 * Milliseconds to wait before repeating a request, or undefined when it must not be repeated.
 * @param failures how many there were before
 */
function delayAfter(error: HttpFailure, request: Request, failures: number, maxWaitMs: number): number | undefined {
  const backoff = BACKOFF_MS[failures];
  if (backoff === undefined) return undefined;
  if (isRateLimited(error)) {
    const pause = pauseOf(error);
    return pause <= maxWaitMs ? pause : undefined;
  }
  if (backoff > maxWaitMs) return undefined;
  const mayPassSoon = error.response === undefined || [500, 502, 503, 504].includes(error.status);
  if (mayPassSoon && request.repeatable) return backoff;
  return wasNeverSent(error) ? backoff : undefined;
}

/** The code is on the innermost cause: the library wraps what `fetch` wraps. */
function wasNeverSent(failure: HttpFailure): boolean {
  let error: unknown = failure.cause;
  while (typeof error === "object" && error !== null) {
    if ("code" in error && NEVER_SENT.has(String(error.code))) return true;
    error = "cause" in error ? error.cause : undefined;
  }
  return false;
}

/**
 * Refuses the page of a proxy or a sign-in, which has status 200, too, and would pass for an object without properties.
 */
function requireData<T extends { status: number; data: unknown }>(response: T): T {
  if ([204, 302].includes(response.status) || (typeof response.data === "object" && response.data !== null))
    return response;
  throw new MagisError("HOST_UNREACHABLE", "What answered in GitHub's place did not answer with data.");
}

/** Whether an answer of GraphQL has errors that may pass, so that what it holds beside them is only a part. */
function isPart(data: unknown): boolean {
  const errors = typeof data === "object" && data !== null && "errors" in data ? data.errors : undefined;
  return Array.isArray(errors) && errors.length > 0 && mayPass(errors) && !isLimited(errors);
}

const isLimited = (errors: readonly GraphqlError[]): boolean => errors.some(({ type }) => type === "RATE_LIMITED");

const TIMEOUT_MS = 60_000;

/**
 * A `fetch` that answers once the whole body has arrived, and fails after `timeoutMs`. The client library reads a
 * cut-off body as an empty one; here it is a network error.
 */
export function createCompleteFetch(send: typeof fetch, timeoutMs = TIMEOUT_MS): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (response.body === null) return response;
    const body = await (response.status < 400 ? response.arrayBuffer() : readBeginning(response.body, LONGEST_REFUSAL));
    const { status, statusText, headers, url } = response;
    const complete = new Response(body, { status, statusText, headers });
    // A response made by hand has no URL, but the client needs it to page through some lists.
    return Object.defineProperty(complete, "url", { value: url });
  };
}
