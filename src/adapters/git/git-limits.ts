/** What one clone or push may cost. */
export interface GitLimits {
  /** bytes of all objects of a clone once inflated; default 1 GiB */
  readonly maxUnpackedBytes: number;
  /** milliseconds in which at least one byte must come or go; default 30 s */
  readonly timeoutMs: number;
  /** milliseconds for one clone or push as a whole; default 10 min */
  readonly totalTimeoutMs: number;
  /** blobs larger than this many bytes are left out where the server can; absent: all blobs are fetched */
  readonly blobLimit?: number;
}

/** The limits with every default filled in. */
export function gitLimits(limits: Partial<GitLimits> = {}): GitLimits {
  return { maxUnpackedBytes: 2 ** 30, timeoutMs: 30_000, totalTimeoutMs: 600_000, ...limits };
}
