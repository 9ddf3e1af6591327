/** A refusal of the API: its status, its error type and its message. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** seconds */
  readonly retryAfter?: number;
}
