import type { Logger } from "pino";
import type { Audit } from "../data/audit.ts";
import type { Metrics } from "../data/metrics.ts";
import { inSpan, type Traces } from "../data/traces.ts";
import { isHttpFailure } from "./errors.ts";
import type { Pulse } from "./pulse.ts";

/** Who hears of each request to GitHub. */
export interface Observers {
  log: Pick<Logger, "debug" | "warn">;
  metrics?: Metrics | undefined;
  traces?: Traces | undefined;
  /** absent where no audit log is kept */
  audit?: Audit | undefined;
  /** tracks every request, so that `/readyz` can tell whether they end */
  pulse?: Pulse | undefined;
}

/** One request, as it is about to be sent. */
export interface Sending {
  method: string;
  path: string;
  /** the path without what names anybody or anything: `/repos/{owner}/{repo}/issues` */
  route: string;
  /** of GraphQL: what the mutation calls */
  called?: string | undefined;
  isRead: boolean;
  /** whose requests GitHub counts, for the metrics */
  installation?: number | undefined;
  /** `OWNER/REPO`, for the audit log */
  repository?: string | undefined;
}

interface Answered {
  status: number;
  headers: Readonly<Record<string, string | number | undefined>>;
}

/**
 * Sends a request and notes how it was answered, whether that is an answer or an error: status 0 where none came. What
 * changes something on GitHub goes to the audit log, too.
 */
export async function observed<T extends Answered>(
  { log, metrics, traces, audit, pulse }: Observers,
  { method, path, route, called, isRead, installation, repository }: Sending,
  send: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const note = ({ status, headers }: Answered): void => {
    const milliseconds = Math.round(performance.now() - began);
    const place = called === undefined ? path : `${path} ${called}`;
    log.debug({ method, place, status, milliseconds }, "a request to GitHub has ended");
    metrics?.githubAnswered(status, leftTo(installation, headers));
    if (!isRead) audit?.({ what: "write", repository, method, place, status, milliseconds });
  };
  return inSpan(traces, { kind: "GitHub request", method, route }, async (end) => {
    try {
      const answer = await (pulse ? pulse.around(send) : send());
      note(answer);
      end({ status: answer.status });
      return answer;
    } catch (error) {
      const refusal = isHttpFailure(error) ? error.response : undefined;
      const status = isHttpFailure(error) && refusal ? error.status : 0;
      note({ status, headers: refusal?.headers ?? {} });
      end({ status });
      throw error;
    }
  });
}

/** How many requests of the hour GitHub leaves to the installation, where the answer says so. */
function leftTo(installation: number | undefined, headers: Answered["headers"]) {
  const remaining = Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
  if (installation === undefined || headers["x-ratelimit-resource"] !== "core" || !Number.isInteger(remaining))
    return undefined;
  return { installation, remaining };
}
