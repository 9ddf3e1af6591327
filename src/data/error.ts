/** The codes of unexpected ends. Callers decide by code, never by message. */
export type MagisErrorCode =
  | "CONFIGURATION_INVALID"
  | "DATA_DIRECTORY_IN_USE"
  | "DATABASE_UNAVAILABLE"
  | "BACKUP_FAILED"
  | "GIT_UNREACHABLE"
  | "GIT_TOKEN_REFUSED"
  | "GIT_NOT_FOUND"
  | "GIT_PACK_CORRUPT"
  | "GIT_PACK_TOO_LARGE"
  | "GIT_TIMEOUT"
  | "GIT_REDIRECT_REFUSED"
  | "GIT_PUSH_REFUSED"
  | "GIT_BRANCH_MOVED"
  | "BLOB_MISSING"
  | "HOST_REFUSED"
  | "HOST_NOT_FOUND"
  | "HOST_UNREACHABLE"
  | "MODEL_REFUSED"
  | "MODEL_CUT_OFF"
  | "MODEL_UNAVAILABLE"
  | "MODEL_REJECTED"
  | "ANSWER_INVALID"
  | "BUDGET_REACHED"
  | "PROMPT_INVALID"
  | "RECORD_UNREADABLE"
  | "SUBJECT_GONE"
  | "NOTHING_TO_SEARCH"
  | "RUN_CANCELLED";

/**
 * The one error class of the program.
 * `message` is a sentence that users may read: no stack, no secret, no local path.
 * `data` is for the log and for callers that decide; `cause` is what was caught.
 */
export class MagisError extends Error {
  readonly code: MagisErrorCode;
  readonly data: Record<string, unknown>;

  constructor(code: MagisErrorCode, message: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "MagisError";
    this.code = code;
    this.data = data;
  }
}

/** True when `error` is a MagisError, of one of `codes` when any are given. */
export function isMagisError(error: unknown, ...codes: MagisErrorCode[]): error is MagisError {
  return error instanceof MagisError && (codes.length === 0 || codes.includes(error.code));
}

/** True when a model gave no usable answer: the caller can go on without it, or fail alone. */
export function isAnswerError(error: unknown): error is MagisError {
  return isMagisError(error, "ANSWER_INVALID", "MODEL_REFUSED", "MODEL_CUT_OFF");
}

/** True when the host refuses a request, or for one of `more`: callers ignore that when the request was a courtesy. */
export function isHostRefusal(error: unknown, ...more: MagisErrorCode[]): error is MagisError {
  return isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND", ...more);
}
