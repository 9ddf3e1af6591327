import { MagisError } from "../data/error.ts";
import type { TokenUsage } from "../data/spend.ts";
import { hideSecrets, withoutSecrets } from "../text/hide-secrets.ts";
import { LEADS_ELSEWHERE } from "./provider-fetch.ts";

/** A failed call, and what it used nevertheless. */
interface FailedCall {
  model: string;
  usage: TokenUsage;
  money: number;
  cancelled: boolean;
  /** the answer had begun: repeating the call may help, and costs again */
  brokenOff: boolean;
}

const UNAVAILABLE_STATUS = new Set([408, 409, 429]);

const UNAVAILABLE_TYPE = new Set([
  "overloaded_error",
  "rate_limit_error",
  "api_error",
  "timeout_error",
  "server_error",
  "rate_limit_exceeded",
]);

/** Bedrock's errors in the middle of an answer. */
const PASSING_EXCEPTION = /^(throttling|serviceUnavailable|internalServer|modelStreamError|modelTimeout)Exception$/i;

/** A web page answered instead of a model's API. */
export class NoApiError extends Error {}

/** The endpoint could not read what its model wrote; another try may succeed. */
const GENERATION = /^(tool_use|json_validate)_failed$/;

/** An endpoint's refusal, in terms that all SDKs share. */
export interface ApiFailure {
  status?: number | undefined;
  type?: string | null | undefined;
  code?: string | null | undefined;
  /** the field that is wrong */
  param?: string | null | undefined;
  requestID?: string | null | undefined;
  /** the provider's own words */
  said?: string | null | undefined;
}

/**
 * A failed call as RUN_CANCELLED, MODEL_REJECTED or MODEL_UNAVAILABLE. The message says what a person can do; neither
 * it nor its cause holds a part of `secrets`. `data` holds `usage`, `money` and `brokenOff`.
 * @param api what the endpoint answered; undefined when nothing did
 * @param secrets the credentials that were sent; undefined where a cloud's SDK found them itself: refusals are then not
 *   quoted
 */
export function toMagisError(
  error: unknown,
  api: ApiFailure | undefined,
  call: FailedCall,
  secrets: readonly string[] | undefined,
): MagisError {
  // A cloud that refuses a signature repeats the whole signed request, session token included.
  const isQuoted = secrets !== undefined || (api?.status !== 401 && api?.status !== 403);
  const cause = isQuoted
    ? withoutSecrets(error, secrets)
    : new Error(`status ${api?.status}, whose words may hold a secret`);
  const unauthorised = lacksCredentials(error);
  const passing = !unauthorised && (api === undefined || isPassing(api));
  const data = {
    usage: call.usage,
    money: call.money,
    brokenOff: call.brokenOff && passing && !call.cancelled,
    model: call.model,
    status: api?.status,
    requestId: api?.requestID ?? undefined,
  };
  if (call.cancelled) return new MagisError("RUN_CANCELLED", "The run was cancelled.", data, cause);
  if (unauthorised) return new MagisError("MODEL_REJECTED", NO_CREDENTIALS, data, cause);
  if (error instanceof NoApiError) return new MagisError("MODEL_REJECTED", NO_API, data, cause);
  if (passing) {
    const sentence = call.brokenOff ? "The model provider's answer broke off" : why(api);
    return new MagisError("MODEL_UNAVAILABLE", `${sentence}. Try again later.`, data, cause);
  }
  const said = isQuoted ? quoted(api?.said ?? "", secrets) : "";
  return new MagisError("MODEL_REJECTED", `${remedy(api ?? {}, call.model)}${said}`, data, cause);
}

const NO_CREDENTIALS =
  "No credentials for the model provider were found: Bedrock takes those of AWS (AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role), Vertex those of Google (GOOGLE_APPLICATION_CREDENTIALS, or gcloud auth application-default login) and ANTHROPIC_VERTEX_PROJECT_ID.";

const NO_API =
  "The model provider's address answers with a web page instead of an API: check the base URL in the configuration.";

/** Whether a cloud's SDK found no credentials to sign with; its error has no status. */
function lacksCredentials(error: unknown): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 4; one = one.cause, depth += 1) {
    const said = one.message.slice(0, MAX_READ);
    if ("status" in one && one.status !== undefined) return false;
    if (one.name === "CredentialsProviderError") return true;
    if (/could not load (the default )?credentials|no projectId was given|resolve credentials/i.test(said)) return true;
  }
  return false;
}

function isPassing(error: ApiFailure): boolean {
  if (error.code === "insufficient_quota") return false;
  if (GENERATION.test(error.code ?? "")) return true;
  if (error.status === undefined)
    return !error.type || UNAVAILABLE_TYPE.has(error.type) || PASSING_EXCEPTION.test(error.type);
  return error.status >= 500 || UNAVAILABLE_STATUS.has(error.status);
}

function why(error: ApiFailure | undefined): string {
  if (error?.status === 429 || error?.type === "rate_limit_error") {
    return "The model provider's rate limit for this key is reached";
  }
  if (error?.status === 529 || error?.type === "overloaded_error") return "The model provider is overloaded";
  if (error?.status !== undefined) return `The model provider failed with status ${error.status}`;
  return "The model provider could not be reached or did not answer in time: the network, a proxy or the base URL may be why";
}

const TOO_LONG = "The prompt is larger than the model provider accepts: fewer or smaller files are needed.";

function remedy(error: ApiFailure, model: string): string {
  if (error.code === "insufficient_quota") return "The model provider wants to be paid: check the account's billing.";
  if (error.code === "context_length_exceeded") return TOO_LONG;
  switch (error.status) {
    case 401:
      return "The model provider refused the API key: check that it is complete and still valid.";
    case 402:
      return "The model provider wants to be paid: check the account's billing.";
    case 403:
      return `The API key may not use the model "${model}": check the key's permissions.`;
    case 404:
      return `The model "${model}" was not found: check the model names and the base URL in the configuration.`;
    case 413:
      return TOO_LONG;
    case LEADS_ELSEWHERE:
      return "The model provider's address sends requests on to another one, where no prompt and no key is sent: set the base URL to the address that is meant.";
    default:
      return "The model provider refused the request.";
  }
}

const MAX_QUOTED = 300;

/** Read at most this much of a refusal before looking for secrets. */
const MAX_READ = 20_000;

/** The provider's own words, on one line and without secrets. */
function quoted(message: string, secrets: readonly string[] | undefined): string {
  const line = message.slice(0, MAX_READ).replace(/\s+/g, " ").trim();
  if (line === "") return "";
  return ` It said: ${hideSecrets(line, secrets).slice(0, MAX_QUOTED)}`;
}
