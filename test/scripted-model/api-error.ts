/** An error of the API: status, type and message. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** seconds */
  readonly retryAfter?: number;
}
