import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { MagisError } from "../../model/magis-error.ts";
import type { GitLimits } from "./git-limits.ts";

export interface RequestToSend {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  readonly limits: GitLimits;
  readonly signal?: AbortSignal | undefined;
}

export interface SentResponse {
  readonly response: IncomingMessage;
  /** read to its end or to its error; throws MagisError */
  readonly body: AsyncGenerator<Buffer>;
  /** instead of reading the body */
  readonly close: () => void;
}

function cancelled(signal: AbortSignal): MagisError {
  if (signal.reason instanceof MagisError) return signal.reason;
  return new MagisError("RUN_CANCELLED", "The transfer was cancelled.", {}, signal.reason);
}

/**
 * Sends one HTTP request on a connection of its own, within the time limits and until `signal` fires.
 * Gives the response, whatever its status. Throws GIT_UNREACHABLE, GIT_TIMEOUT, RUN_CANCELLED.
 */
export function sendRequest({ url, method, headers, body, limits, signal }: RequestToSend): Promise<SentResponse> {
  const { host } = url;
  return new Promise((resolve, reject) => {
    /** Why we ended it ourselves; sockets then report something else. */
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
