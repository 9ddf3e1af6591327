import type { Ask, Question, Reply, Silence } from "./ask.ts";

/** The model's provider: an endpoint that speaks the Anthropic API. */
export interface ModelAccess {
  readonly ask: Ask;
  /** without `/v1` and without a slash at the end */
  readonly baseUrl: string;
  readonly apiKey: string;
}

const VERSION = "2023-06-01";

/** Asks the provider: GET without a body, else POST. `path` begins with `/v1/`. */
export async function askModel(
  { ask, baseUrl, apiKey }: ModelAccess,
  path: string,
  body?: object,
): Promise<Reply | Silence> {
  const headers = { "x-api-key": apiKey, "anthropic-version": VERSION };
  const question: Question =
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  return ask(`${baseUrl}${path}`, question);
}
