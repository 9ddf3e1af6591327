import { isMagisError, MagisError } from "../data/error.ts";
import { LONGEST_REFUSAL } from "../text/bounded.ts";
import { hideSecrets, withoutSecrets } from "../text/hide-secrets.ts";

/**
 * Does `work` against the host.
 * @param action what it does, as the end of "GitHub refused to …"
 * @throws MagisError HOST_REFUSED, HOST_NOT_FOUND or HOST_UNREACHABLE, and nothing else
 */
export async function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHostError(action, error);
  }
}

/**
 * The coded error for a failed request. Never holds a token or an address.
 * @param action what was tried, as the end of "GitHub refused to …"
 */
function toHostError(action: string, error: unknown): MagisError {
  if (isMagisError(error)) return error;
  if (isGraphqlRefusal(error)) return fromGraphql(action, error);
  if (isHttpFailure(error)) return fromHttp(action, error);
  return new MagisError(
    "HOST_UNREACHABLE",
    `GitHub gave no usable answer when asked to ${action}.`,
    {},
    withoutSecrets(error),
  );
}

function fromHttp(action: string, failure: Error & HttpFailure): MagisError {
  const { status, response } = failure;
  if (response === undefined) {
    return new MagisError("HOST_UNREACHABLE", `GitHub could not be reached to ${action}.`, {}, withoutSecrets(failure));
  }
  if (isRateLimited(failure)) {
    const message = `GitHub's rate limit would not lift soon enough to ${action}.`;
    const data = { status, retryAfterMs: pauseOf(failure), limited: true };
    return new MagisError("HOST_UNREACHABLE", message, data, withoutSecrets(failure));
  }
  if (status >= 500 || status === 408 || isPage(response.data)) {
    const message = `GitHub failed with status ${status} when asked to ${action}.`;
    return new MagisError("HOST_UNREACHABLE", message, { status }, withoutSecrets(failure));
  }
  const data = { status, errors: errorsOf(response.data) };
  if (status === 404 || status === 410) {
    const message = `GitHub could not ${action}: it is not there, or the app has no access to it.`;
    return new MagisError("HOST_NOT_FOUND", message, data, withoutSecrets(failure));
  }
  const reason = refusalSentence(response.data);
  const message = `GitHub refused to ${action}: ${reason}${/create or approve pull requests/i.test(reason) ? SWITCH : ""}`;
  return new MagisError("HOST_REFUSED", message, data, withoutSecrets(failure));
}

/** What lets the token of a job open pull requests; off in every new repository. */
const SWITCH =
  ' Whoever administers the repository can allow it under Settings > Actions > General: tick "Allow GitHub Actions to create and approve pull requests". In an organisation, its own settings may have to allow it first.';

/** An error in an answer of GraphQL, whose status is 200 then, too. */
export interface GraphqlError {
  type?: string;
  message: string;
  extensions?: { code?: string };
}

interface GraphqlRefusal {
  errors: readonly GraphqlError[];
}

/** What GitHub means: no right to it, not there, or no such question. Anything else may pass when it is asked again. */
const SETTLED = ["FORBIDDEN", "INSUFFICIENT_SCOPES", "NOT_FOUND", "UNAUTHENTICATED", "UNPROCESSABLE"];

/** Whether asking again may help: nothing of the answer is a refusal or a question that the host does not know. */
export const mayPass = (errors: readonly GraphqlError[]): boolean =>
  errors.every(({ type, extensions }) => !SETTLED.includes(type ?? "") && extensions?.code === undefined);

function isGraphqlRefusal(error: unknown): error is Error & GraphqlRefusal {
  return error instanceof Error && error.name === "GraphqlResponseError" && "errors" in error;
}

function fromGraphql(action: string, failure: Error & GraphqlRefusal): MagisError {
  const { errors } = failure;
  const has = (type: string): boolean => errors.some((error) => error.type === type);
  if (mayPass(errors)) {
    return new MagisError(
      "HOST_UNREACHABLE",
      `GitHub could not ${action} at the moment.`,
      { errors },
      withoutSecrets(failure),
    );
  }
  const message = `GitHub refused to ${action}: ${refusalSentence({ errors })}`;
  return new MagisError(
    has("NOT_FOUND") ? "HOST_NOT_FOUND" : "HOST_REFUSED",
    message,
    { errors },
    withoutSecrets(failure),
  );
}

function errorsOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "errors" in body ? body.errors : [];
}

/** The parts that we use of the client library's error. `response` is absent when there was no answer. */
export interface HttpFailure {
  status: number;
  message: string;
  cause?: unknown;
  response?: {
    headers: Readonly<Record<string, string | number | undefined>>;
    data: unknown;
  };
}

/** Checks the shape, not the class: two versions of the error class can be installed at once. */
export function isHttpFailure(error: unknown): error is Error & HttpFailure {
  return error instanceof Error && "status" in error && typeof error.status === "number";
}

/**
 * True when GitHub says "later" rather than "no".
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function isRateLimited(failure: HttpFailure): boolean {
  if (failure.status === 429) return true;
  if (failure.status !== 403) return false;
  const headers = failure.response?.headers ?? {};
  return (
    /\bsecondary rate\b/i.test(failure.message) ||
    String(headers["x-ratelimit-remaining"]) === "0" ||
    headers["retry-after"] !== undefined
  );
}

/** GitHub answers with data; a page, whatever its status, comes from a proxy, a firewall or a broken server. */
function isPage(body: unknown): boolean {
  return typeof body === "string" && /^\s*<(?:!doctype|html|head|body)\b/i.test(body);
}

/** GitHub's documented pause when an answer does not say how long to wait. */
const DEFAULT_PAUSE_MS = 60_000;

/**
 * Milliseconds until a limit lifts, by the refusal's headers; a second at least. The reset is a time of GitHub's clock, so we compare it
 * with the answer's own date: this machine's clock may be wrong.
 */
export function pauseOf({ response }: HttpFailure): number {
  const {
    "retry-after": after,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset,
    date,
  } = response?.headers ?? {};
  const now = (Date.parse(String(date)) || Date.now()) / 1000;
  const seconds = after === undefined ? Number(reset) - now + 1 : secondsOf(String(after), now);
  const known = (after !== undefined || String(remaining) === "0") && Number.isFinite(seconds);
  return known ? Math.max(1_000, Math.ceil(seconds * 1000)) : DEFAULT_PAUSE_MS;
}

/** `Retry-After` says seconds, or a moment. `now` is in seconds since the epoch. */
const secondsOf = (after: string, now: number): number =>
  /^\s*\d+\s*$/.test(after) ? Number(after) : Date.parse(after) / 1000 - now;

const MAX_LENGTH = 500;

/**
 * GitHub's reason, from the body of a refused request: `message`, then the messages of `errors`, without the
 * documentation's address.
 */
function refusalSentence(body: unknown): string {
  if (typeof body !== "object" || body === null) return "no reason was given";
  const message = "message" in body && typeof body.message === "string" ? body.message : "";
  const errors = "errors" in body && Array.isArray(body.errors) ? body.errors.map(detail).filter(Boolean) : [];
  const sentence = [message, errors.join("; ")].filter(Boolean).join(": ");
  return hideSecrets(sentence.slice(0, LONGEST_REFUSAL) || "no reason was given").slice(0, MAX_LENGTH);
}

function detail(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  if ("message" in error && typeof error.message === "string") return error.message;
  const part = (name: string): string => String((error as Record<string, unknown>)[name] ?? "");
  return [part("resource"), part("field"), part("code")].filter(Boolean).join(" ");
}
