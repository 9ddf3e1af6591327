import { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { MagisError } from "../../model/error.ts";
import type { TokenUsage } from "../../model/spend.ts";

/** What a failed call was, and what it used all the same. */
interface FailedCall {
  readonly model: string;
  readonly usage: TokenUsage;
  readonly money: number;
  readonly cancelled: boolean;
  /** the answer had begun to arrive: repeating the call may help, and must be paid again */
  readonly brokenOff: boolean;
}

const UNAVAILABLE_STATUS = new Set([408, 409, 429]);

const UNAVAILABLE_TYPE = new Set(["overloaded_error", "rate_limit_error", "api_error", "timeout_error"]);

/**
 * What the failure of a call means, as RUN_CANCELLED, MODEL_REJECTED or MODEL_UNAVAILABLE. The message says what a person
 * can do; it never holds `apiKey` or an address. `data` holds `usage` and `money`, and `brokenOff`.
 */
export function toMagisError(error: unknown, call: FailedCall, apiKey: string): MagisError {
  const api = error instanceof APIError ? error : undefined;
  const passing = api === undefined || api instanceof APIConnectionError || isPassing(api);
  const data = {
    usage: call.usage,
    money: call.money,
    brokenOff: call.brokenOff && passing && !call.cancelled,
    model: call.model,
    ...(api?.status === undefined ? {} : { status: api.status }),
    ...(typeof api?.requestID === "string" ? { requestId: api.requestID } : {}),
  };
  if (call.cancelled) return new MagisError("RUN_CANCELLED", "The run was cancelled.", data, error);
  if (passing) {
    const sentence = call.brokenOff ? "The model provider's answer broke off" : why(api);
    return new MagisError("MODEL_UNAVAILABLE", `${sentence}. Try again later.`, data, error);
  }
  const said = clean(api.apiMessage ?? "", apiKey);
  return new MagisError("MODEL_REJECTED", `${remedy(api, call.model)}${said}`, data, error);
}

function isPassing(error: APIError): boolean {
  if (error.status === undefined) return error.type === null || UNAVAILABLE_TYPE.has(error.type);
  return error.status >= 500 || UNAVAILABLE_STATUS.has(error.status);
}

function why(error: APIError | undefined): string {
  if (error?.status === 429 || error?.type === "rate_limit_error") {
    return "The model provider's rate limit for this key is reached";
  }
  if (error?.status === 529 || error?.type === "overloaded_error") return "The model provider is overloaded";
  if (error?.status !== undefined) return `The model provider failed with status ${error.status}`;
  return "The model provider could not be reached or did not answer in time";
}

function remedy(error: APIError, model: string): string {
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
      return "The prompt is larger than the model provider accepts: fewer or smaller files are needed.";
    default:
      return "The model provider refused the request.";
  }
}

/** The provider's own words, on one line and without the key, should it repeat it. */
function clean(message: string, apiKey: string): string {
  const line = message.replace(/\s+/g, " ").trim().slice(0, 300);
  if (line === "") return "";
  return ` It said: ${apiKey === "" ? line : line.split(apiKey).join("[key]")}`;
}
