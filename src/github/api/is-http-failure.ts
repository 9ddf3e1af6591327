/** What the client library throws, as far as it is looked at here. `response` is absent when nothing was answered. */
export interface HttpFailure {
  readonly status: number;
  readonly message: string;
  readonly cause?: unknown;
  readonly response?: {
    readonly headers: Readonly<Record<string, string | number | undefined>>;
    readonly data: unknown;
  };
}

/** Tells by shape, not by class: two versions of the error class can be installed at once. */
export function isHttpFailure(error: unknown): error is Error & HttpFailure {
  return error instanceof Error && "status" in error && typeof error.status === "number";
}
