import { setTimeout as wait } from "node:timers/promises";
import { type ThrottlingOptions, throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import type { Logger } from "pino";
import { MagisError } from "../../model/magis-error.ts";
import { createCompleteFetch } from "./create-complete-fetch.ts";
import type { WritePacer } from "./create-write-pacer.ts";
import { delayBeforeRepeat } from "./delay-before-repeat.ts";
import { isRead, type RequestKind } from "./is-read.ts";

/** What all clients of one host share. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly log: Pick<Logger, "debug" | "warn">;
  /** the longest that one rate limit is waited for */
  readonly maxWaitSeconds: number;
  readonly timeoutMs: number;
}

type Authentication = Pick<NonNullable<ConstructorParameters<typeof Octokit>[0]>, "authStrategy" | "auth">;

/**
 * A client of GitHub's interfaces that obeys the rate limits, repeats what may be repeated and paces writes.
 * @param throttleId requests with the same id share the plugin's limit of ten at a time
 * @param pace absent for a client that does not write
 */
export function createClient(
  settings: ClientSettings,
  authentication: Authentication,
  throttleId: string,
  pace?: WritePacer,
): Octokit {
  const { baseUrl, log, maxWaitSeconds } = settings;
  const client = new (Octokit.plugin(throttling))({
    ...authentication,
    baseUrl,
    userAgent: "magis",
    log: quietLog(log),
    request: { fetch: createCompleteFetch(settings.fetch, settings.timeoutMs) },
    throttle: throttle(throttleId, maxWaitSeconds, log),
  });
  client.hook.wrap("request", async (send, options) => {
    for (let failures = 0; ; failures++) {
      try {
        return requireData(await send(options));
      } catch (error) {
        const delay = delayBeforeRepeat(error, options as RequestKind, failures, maxWaitSeconds);
        if (delay === undefined) throw error;
        log.debug({ method: options.method, url: options.url, delay }, "repeating a request to GitHub");
        await wait(delay);
      }
    }
  });
  if (pace) {
    client.hook.wrap("request", (send, options) => {
      const request = async () => send(options);
      return isRead(options as RequestKind) ? request() : pace(request, options.method === "POST");
    });
  }
  return client;
}

/** A page of a proxy or of a sign-in comes with status 200 too, and would pass for an object without properties. */
function requireData<T extends { readonly status: number; readonly data: unknown }>(response: T): T {
  if ([204, 302].includes(response.status) || (typeof response.data === "object" && response.data !== null))
    return response;
  throw new MagisError("HOST_UNREACHABLE", "What answered in GitHub's place did not answer with data.");
}

/** A refused request was not carried out, so that repeating it after the pause is safe for writes too. */
function throttle(id: string, maxWaitSeconds: number, log: ClientSettings["log"]): ThrottlingOptions {
  const mayWait =
    (kind: string) => (seconds: number, options: { method: string; url: string }, _: unknown, count: number) => {
      const worthIt = seconds <= maxWaitSeconds && count < 3;
      log.warn({ seconds, url: options.url, waiting: worthIt }, `GitHub's ${kind} rate limit is reached`);
      return worthIt;
    };
  // The plugin's own spacing (a second between writes, three between those that notify) gives way to the pacer's.
  const atOnce = { key: () => ({ schedule: async (_: unknown, job: () => Promise<void>) => job() }) };
  const unspaced = atOnce as unknown as NonNullable<ThrottlingOptions["write"]>;
  return {
    id,
    write: unspaced,
    notifications: unspaced,
    onRateLimit: mayWait("primary"),
    onSecondaryRateLimit: mayWait("secondary"),
  };
}

/** The library reports every refused request as an error; here the caller decides whether it is one. */
function quietLog(log: ClientSettings["log"]) {
  const debug = (message: string): void => log.debug(message);
  return { debug: () => undefined, info: debug, warn: (message: string): void => log.warn(message), error: debug };
}
