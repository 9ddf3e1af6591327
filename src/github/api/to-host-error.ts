import { isMagisError, MagisError } from "../../model/magis-error.ts";
import { type HttpFailure, isHttpFailure } from "./is-http-failure.ts";
import { isRateLimited } from "./is-rate-limited.ts";
import { plainCause } from "./plain-cause.ts";
import { refusalSentence } from "./refusal-sentence.ts";

/**
 * The coded error for whatever a request ended with. Never holds a token or an address.
 * @param action what was tried, to follow "GitHub refused to …"
 */
export function toHostError(action: string, error: unknown): MagisError {
  if (isMagisError(error)) return error;
  if (isGraphqlRefusal(error)) return fromGraphql(action, error);
  if (isHttpFailure(error)) return fromHttp(action, error);
  return new MagisError("HOST_UNREACHABLE", `GitHub gave no usable answer when asked to ${action}.`, {}, error);
}

function fromHttp(action: string, failure: Error & HttpFailure): MagisError {
  const { status, response } = failure;
  if (response === undefined) {
    return new MagisError("HOST_UNREACHABLE", `GitHub could not be reached to ${action}.`, {}, plainCause(failure));
  }
  if (isRateLimited(failure)) {
    const message = `GitHub's rate limit would not lift soon enough to ${action}.`;
    return new MagisError("HOST_UNREACHABLE", message, { status }, plainCause(failure));
  }
  if (status >= 500) {
    const message = `GitHub failed with status ${status} when asked to ${action}.`;
    return new MagisError("HOST_UNREACHABLE", message, { status }, plainCause(failure));
  }
  const data = { status, errors: errorsOf(response.data) };
  if (status === 404 || status === 410) {
    const message = `GitHub could not ${action}: it is not there, or the app has no access to it.`;
    return new MagisError("HOST_NOT_FOUND", message, data, plainCause(failure));
  }
  const message = `GitHub refused to ${action}: ${refusalSentence(response.data)}`;
  return new MagisError("HOST_REFUSED", message, data, plainCause(failure));
}

interface GraphqlRefusal {
  readonly errors: readonly { readonly type?: string; readonly message: string }[];
}

function isGraphqlRefusal(error: unknown): error is Error & GraphqlRefusal {
  return error instanceof Error && error.name === "GraphqlResponseError" && "errors" in error;
}

function fromGraphql(action: string, failure: Error & GraphqlRefusal): MagisError {
  const { errors } = failure;
  const has = (type: string): boolean => errors.some((error) => error.type === type);
  const broken = errors.some((error) => error.message.startsWith("Something went wrong while executing your query"));
  if (has("RATE_LIMITED") || broken) {
    return new MagisError(
      "HOST_UNREACHABLE",
      `GitHub could not ${action} at the moment.`,
      { errors },
      plainCause(failure),
    );
  }
  const message = `GitHub refused to ${action}: ${refusalSentence({ errors })}`;
  return new MagisError(has("NOT_FOUND") ? "HOST_NOT_FOUND" : "HOST_REFUSED", message, { errors }, plainCause(failure));
}

function errorsOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "errors" in body ? body.errors : [];
}
