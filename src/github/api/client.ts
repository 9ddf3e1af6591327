import { setTimeout as wait } from "node:timers/promises";
import { Octokit } from "@octokit/rest";
import pLimit, { type LimitFunction } from "p-limit";
import type { Logger } from "pino";
import { MagisError } from "../../model/error.ts";
import { boundBodies, LONGEST_REFUSAL, readBeginning } from "../../text/bounded.ts";
import { type GraphqlError, type HttpFailure, isHttpFailure, isRateLimited, mayPass, pauseOf } from "./errors.ts";
import { guardWrite } from "./posted-fields.ts";
import type { Pulse } from "./pulse.ts";
import type { WritePacer } from "./write-pacer.ts";

/** Settings shared by all clients of one host. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly log: Pick<Logger, "debug" | "warn">;
  /** the longest wait for one rate limit */
  readonly maxWaitSeconds: number;
  readonly timeoutMs: number;
  /** tracks every request; shared by all clients of a process */
  readonly pulse: Pulse;
}

/** A write that GitHub has answered, for the audit log. */
export interface AnsweredWrite {
  readonly method: string;
  /** the API's path; of GraphQL with the mutation's name */
  readonly place: string;
  /** 0 when no answer came */
  readonly status: number;
  readonly milliseconds: number;
}

export interface Writes {
  readonly pacer: WritePacer;
  /** the run whose reservation the writes use */
  readonly writer?: string | undefined;
  /** absent where no audit log is kept */
  readonly record?: ((write: AnsweredWrite) => void) | undefined;
}

type Authentication = Pick<NonNullable<ConstructorParameters<typeof Octokit>[0]>, "authStrategy" | "auth">;

/**
 * A client of GitHub's APIs that obeys the rate limits, repeats requests when that is safe, makes its writes one after
 * the other and at the pacer's pace, passes all text through `guardWrite`, and cuts the bodies that it reads. Writes of several clients go side by
 * side: if an organisation's runs waited for each other's, a dozen that publish at once would take minutes.
 * @param lane limits simultaneous requests, also across clients
 * @param writes absent for a client that does not write
 */
export function createClient(
  settings: ClientSettings,
  authentication: Authentication,
  lane: RequestLane,
  writes?: Writes,
): Octokit {
  const { baseUrl, log, maxWaitSeconds, pulse } = settings;
  const client = new Octokit({
    ...authentication,
    baseUrl,
    userAgent: "magis",
    log: quietLog(log),
    request: { fetch: createCompleteFetch(settings.fetch, settings.timeoutMs) },
  });
  client.hook.wrap("request", async (send, options) => {
    for (let failures = 0; ; failures++) {
      try {
        const response = await pulse.around(() => lane(async () => send(options)));
        if (options.url === RENDER) return response;
        const pause = isPart(requireData(response).data) && isRead(options as RequestKind) && BACKOFF_MS[failures];
        if (!pause) return response;
        log.debug({ url: options.url, delay: pause }, "repeating a query that GitHub has answered in part");
        await wait(pause);
      } catch (error) {
        const delay = delayBeforeRepeat(error, options as RequestKind, failures, maxWaitSeconds);
        if (delay === undefined) throw error;
        const { method, url } = options;
        if (isHttpFailure(error) && isRateLimited(error)) log.warn({ url, delay }, "GitHub's rate limit is reached");
        else log.debug({ method, url, delay }, "repeating a request to GitHub");
        await wait(delay);
      }
    }
  });
  if (writes) {
    const { pacer, writer, record } = writes;
    const inOrder = pLimit(1);
    client.hook.wrap("request", (send, options) => {
      const request = async () => send(options);
      if (isRead(options as RequestKind)) return request();
      const place = placeOf(client.request.endpoint(options).url, options as RequestKind);
      const creates = options.method === "POST";
      const write = recorded(request, { method: options.method, place }, record);
      return inOrder(() => pacer.pace(write, creates, writer)).catch(async (error: unknown) => {
        // People write through the same quota, and we do not see it.
        if (creates && isHttpFailure(error) && isRateLimited(error)) await pacer.refused(pauseOf(error));
        throw error;
      });
    });
  }
  // The last hook runs first, so a repeated request passes through `guardWrite` only once.
  client.hook.before("request", guardWrite);
  client.hook.after("request", ({ data }) => boundBodies(data));
  return client;
}

/** The path of a request; of a GraphQL mutation with the name of what it calls. */
function placeOf(url: string, { query }: RequestKind): string {
  const { pathname } = new URL(url);
  const called = typeof query === "string" ? /\{\s*(\w+)/.exec(query)?.[1] : undefined;
  return called === undefined ? pathname : `${pathname} ${called}`;
}

/** The same request, which is recorded when it has been answered, or failed. */
function recorded<T extends { readonly status: number }>(
  request: () => Promise<T>,
  about: Pick<AnsweredWrite, "method" | "place">,
  record: Writes["record"],
): () => Promise<T> {
  if (record === undefined) return request;
  return async () => {
    const began = performance.now();
    const end = (status: number) => record({ ...about, status, milliseconds: Math.round(performance.now() - began) });
    try {
      const response = await request();
      end(response.status);
      return response;
    } catch (error) {
      end(isHttpFailure(error) && error.response !== undefined ? error.status : 0);
      throw error;
    }
  };
}

/**
 * Refuses the page of a proxy or a sign-in, which has status 200, too, and would pass for an object without properties.
 */
function requireData<T extends { readonly status: number; readonly data: unknown }>(response: T): T {
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

/** The library logs every refused request as an error; here the caller decides whether it is one. */
function quietLog(log: ClientSettings["log"]) {
  const debug = (message: string): void => log.debug(message);
  return { debug: () => undefined, info: debug, warn: (message: string): void => log.warn(message), error: debug };
}

/**
 * A `fetch` that answers once the whole body has arrived, and fails after `timeoutMs`. The client library reads a
 * cut-off body as an empty one; here it is a network error.
 */
export function createCompleteFetch(send: typeof fetch, timeoutMs: number): typeof fetch {
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

/** The parts of a request that show what it does. `query` is for GraphQL only. */
export interface RequestKind {
  readonly method: string;
  readonly url: string;
  readonly query?: unknown;
}

/** Renders a text, which is kept nowhere; the answer is HTML. */
const RENDER = "/markdown";

/** True for a request that changes nothing: GET, HEAD, and by POST GraphQL queries and texts to render. */
function isRead(request: RequestKind): boolean {
  if (request.method === "GET" || request.method === "HEAD" || request.url === RENDER) return true;
  return typeof request.query === "string" && /^\s*query\b/.test(request.query);
}

/** GitHub allows a hundred simultaneous requests; these are one installation's. */
const SIMULTANEOUS = 10;

/** Limits simultaneous requests. */
export type RequestLane = LimitFunction;

export const createRequestLane = (): RequestLane => pLimit(SIMULTANEOUS);

const BACKOFF_MS = [500, 1000, 2000];

const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Milliseconds to wait before repeating a request, or undefined when it must not be repeated. Reads and idempotent
 * changes are repeated after network errors and 5xx; creations only when they certainly were not carried out.
 * @param attempt 0 for the first failure
 */
function delayBeforeRepeat(
  error: unknown,
  request: RequestKind,
  attempt: number,
  maxWaitSeconds: number,
): number | undefined {
  const backoff = BACKOFF_MS[attempt];
  if (backoff === undefined || !isHttpFailure(error)) return undefined;
  // A rate-limited request was not carried out, so it is safe to repeat even a write.
  if (isRateLimited(error)) {
    const pause = pauseOf(error);
    return pause <= maxWaitSeconds * 1000 ? pause : undefined;
  }
  const transient = error.response === undefined || [500, 502, 503, 504].includes(error.status);
  if (transient && repeatable(request)) return backoff;
  return wasNeverSent(error) ? backoff : undefined;
}

function repeatable(request: RequestKind): boolean {
  return isRead(request) || ["PATCH", "DELETE"].includes(request.method) || request.url.endsWith("/access_tokens");
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

/** One repository, a client with access to it, and the account that writes. */
export interface GithubRepository {
  readonly client: Octokit;
  /**
   * gives a client that reads files of another repository of the owner, with a token for that alone; makes no request
   */
  readonly readerFor: (repo: string) => Octokit;
  /** without the app's token, for files that GitHub keeps on other hosts */
  readonly fetch: typeof fetch;
  readonly owner: string;
  readonly repo: string;
  /** the app's id; absent for other tokens, whose texts are recognised by the login alone */
  readonly appId?: number;
  /** the login of the app, `<slug>[bot]`, or of the token's owner */
  readonly login: string;
}

/** Asks for texts as GitHub shows them, too. */
export const FULL = { headers: { accept: "application/vnd.github.full+json" } } as const;

/** How GitHub shows a text. Octokit's types lack it for pull requests, and it can be null. */
export function htmlOf(row: object): string | undefined {
  const html: unknown = "body_html" in row ? row.body_html : undefined;
  return typeof html === "string" ? html : undefined;
}

interface Authored {
  readonly user: { readonly login: string; readonly type?: string } | null;
  readonly performed_via_github_app?: { readonly id: number } | null;
}

/**
 * True when the app itself wrote it. A person who writes through the app keeps their own login, and no person's login
 * has brackets. Without an app: true when the token's owner wrote it, by any means.
 */
export function isOwn(app: Pick<GithubRepository, "appId" | "login">, thing: Authored): boolean {
  if (app.appId === undefined) return thing.user?.login === app.login;
  const via = thing.performed_via_github_app;
  return thing.user?.login === app.login && thing.user.type === "Bot" && (!via || via.id === app.appId);
}
