/**
 * An error as the log shows it. Probot and Octokit hang the whole webhook, request or response on their errors, with
 * the repository's content and tokens in it, so only the fields named here are taken. Causes go three deep.
 */
export function serializeError(error: unknown, depth = 3): unknown {
  if (!isErrorLike(error)) return String(error);
  const { name, message, stack, code, status, cause, errors } = error;
  return {
    type: name,
    message,
    stack,
    ...(isPlain(code) && { code }),
    ...(isPlain(status) && { status }),
    ...(cause !== undefined && depth > 1 && { cause: serializeError(cause, depth - 1) }),
    ...(Array.isArray(errors) && depth > 1 && { errors: errors.map((inner) => serializeError(inner, depth - 1)) }),
  };
}

interface ErrorLike {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** By form and not by class: an error of another realm (a worker, a test's sandbox) is one as well. */
function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
