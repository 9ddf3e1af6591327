import { isMagisError, MagisError, type MagisErrorCode } from "./error.ts";

/** A service did not answer, or said "later": waiting may be enough for the same work to succeed. */
export interface Outage {
  /** `writes`: a rate limit of the host is reached */
  of: "host" | "writes" | "model" | "database";
  /** the wait that the service asked for, in milliseconds */
  retryAfterMs?: number;
  /** the failed call cost money, and would again */
  paid: boolean;
}

const AWAY: Partial<Record<MagisErrorCode, Outage["of"]>> = {
  HOST_UNREACHABLE: "host",
  GIT_UNREACHABLE: "host",
  GIT_TIMEOUT: "host",
  MODEL_UNAVAILABLE: "model",
  DATABASE_UNAVAILABLE: "database",
};

/**
 * The only rule for what is worth waiting for: the outage behind an error, or undefined when waiting would not help.
 */
export function outageOf(error: unknown): Outage | undefined {
  if (!isMagisError(error) || error.data.lasting === true) return undefined;
  const of = AWAY[error.code];
  if (of === undefined) return undefined;
  const { retryAfterMs, money, limited } = error.data;
  return {
    of: of === "host" && limited === true ? "writes" : of,
    retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : undefined,
    paid: typeof money === "number" && money > 0,
  };
}

/** However long the other side asks to wait, it is tried again within the hour. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** A pause of the host's that is no longer keeps the run's place. */
const SHORT_PAUSE_MS = 60_000;

/** The milliseconds for which a run gives up its place, because a rate limit of the host lasts longer than a minute. */
export function longPauseOf(error: unknown): number | undefined {
  const outage = outageOf(error);
  if (outage?.of !== "writes" || (outage.retryAfterMs ?? 0) <= SHORT_PAUSE_MS) return undefined;
  return Math.min(outage.retryAfterMs ?? 0, LONGEST_PAUSE_MS);
}

/** Marks the outage behind `error` as too long: nobody waits for it any more. */
export function lasting(error: MagisError, waited = ""): MagisError {
  return new MagisError(error.code, `${error.message}${waited}`, { ...error.data, lasting: true }, error);
}

/**
 * Whether a message may be posted later: after an outage, when access is granted again, or when the issue is unlocked.
 */
export function mayBeReportedLater(error: unknown): boolean {
  if (isMagisError(error, "HOST_NOT_FOUND") && error.data.status === 410) return false;
  return isMagisError(error) && (error.code in AWAY || error.code.startsWith("HOST_") || error.code.startsWith("GIT_"));
}
