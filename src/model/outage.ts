import { isMagisError, MagisError, type MagisErrorCode } from "./error.ts";

/** Something outside did not answer, or said "later": the same work may succeed by waiting alone. */
export interface Outage {
  /** `writes`: the host answers, and takes no more writes for now */
  readonly of: "host" | "writes" | "model" | "database";
  /** milliseconds that whoever refused has asked for */
  readonly retryAfterMs?: number;
  /** money was spent on what failed: to do it again costs something */
  readonly paid: boolean;
}

const AWAY: Partial<Record<MagisErrorCode, Outage["of"]>> = {
  HOST_UNREACHABLE: "host",
  GIT_UNREACHABLE: "host",
  GIT_TIMEOUT: "host",
  MODEL_UNAVAILABLE: "model",
  DATABASE_UNAVAILABLE: "database",
};

/** The one rule of what is waited for: the outage behind an error, or nothing when waiting alone would not mend it. */
export function outageOf(error: unknown): Outage | undefined {
  if (!isMagisError(error) || error.data.lasting === true) return undefined;
  const of = AWAY[error.code];
  if (of === undefined) return undefined;
  const { retryAfterMs, money, writes } = error.data;
  return {
    of: of === "host" && writes === true ? "writes" : of,
    ...(typeof retryAfterMs === "number" && { retryAfterMs }),
    paid: typeof money === "number" && money > 0,
  };
}

/** An outage that was waited for long enough: `error` as one that nobody waits for any more. */
export function lasting(error: MagisError, waited = ""): MagisError {
  return new MagisError(error.code, `${error.message}${waited}`, { ...error.data, lasting: true }, error);
}

/** What a message that is owed is kept for: an outage, or a host that lets us in no more (yet), or locks what it is about. */
export function mayBeReportedLater(error: unknown): boolean {
  // Gone for good.
  if (isMagisError(error, "HOST_NOT_FOUND") && error.data.status === 410) return false;
  return isMagisError(error) && (error.code in AWAY || error.code.startsWith("HOST_") || error.code.startsWith("GIT_"));
}
