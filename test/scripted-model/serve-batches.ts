import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiError } from "./api-error.ts";
import { isRecord } from "./is-record.ts";

/** Answers one body like the API: writes to `response`, or gives an error. */
type Respond = (body: unknown, path: string, id: string, response: ServerResponse) => Promise<ApiError | undefined>;

interface Batch {
  readonly id: string;
  readonly created_at: string;
  /** one JSON line each; undefined until all requests are answered */
  results: string | undefined;
}

const PATH = /^\/v1\/messages\/batches(?:\/([\w-]+)(\/results)?)?$/;
const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Serves message batches like the API: creates, lists and shows them, and gives the results as JSON lines once they are
 * complete. Gives false for any other request, and an error where the API would refuse.
 */
export function createBatches(respond: Respond) {
  const batches: Batch[] = [];

  const begin = async (batch: Batch, requests: readonly { custom_id: string; params: unknown }[]): Promise<void> => {
    const lines = requests.map(async ({ custom_id, params }, at) => {
      const { response, written } = capture();
      const error = await respond(params, "/v1/messages", `msg_${batch.id}_${at + 1}`, response);
      const failure = error && { type: "error", error: { type: error.type, message: error.message } };
      const result = failure
        ? { type: "errored", error: failure }
        : { type: "succeeded", message: JSON.parse(written()) as unknown };
      return JSON.stringify({ custom_id, result });
    });
    // Results come in any order.
    batch.results = (await Promise.all(lines)).reverse().join("\n");
  };

  return async (
    request: IncomingMessage,
    path: string,
    body: unknown,
    response: ServerResponse,
  ): Promise<ApiError | undefined | false> => {
    const found = PATH.exec(path);
    if (!found) return false;
    const [, id, results] = found;
    const host = `http://${request.headers.host}`;
    const say = (value: object) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
      return undefined;
    };
    if (request.method === "POST" && id === undefined) {
      const requests = isRecord(body) && Array.isArray(body.requests) ? body.requests : [];
      const ids: unknown[] = requests.map((one: unknown) => (isRecord(one) ? one.custom_id : undefined));
      const wrong =
        ids.length === 0 || new Set(ids).size < ids.length || ids.some((one) => !CUSTOM_ID.test(String(one)));
      if (wrong) return { status: 400, type: "invalid_request_error", message: "requests: custom ids are wrong" };
      const batch: Batch = {
        id: `msgbatch_${batches.length + 1}`,
        created_at: new Date().toISOString(),
        results: undefined,
      };
      batches.unshift(batch);
      void begin(batch, requests);
      return say(shown(batch, host));
    }
    if (id === undefined) return say({ data: batches.map((one) => shown(one, host)), has_more: false });
    const batch = batches.find((one) => one.id === id);
    if (!batch) return { status: 404, type: "not_found_error", message: "Not found" };
    if (results === undefined) return say(shown(batch, host));
    response.writeHead(200, { "content-type": "application/binary" });
    response.end(batch.results);
    return undefined;
  };
}

function shown({ id, created_at, results }: Batch, host: string): object {
  const ended = results !== undefined;
  return {
    id,
    type: "message_batch",
    created_at,
    processing_status: ended ? "ended" : "in_progress",
    results_url: ended ? `${host}/v1/messages/batches/${id}/results` : null,
  };
}

/** A response that keeps its output. */
function capture() {
  let text = "";
  const response = {
    statusCode: 200,
    writableEnded: false,
    writeHead: () => response,
    destroy: () => response,
    end(written = "") {
      text = String(written);
      response.writableEnded = true;
      return response;
    },
  };
  return { response: response as unknown as ServerResponse, written: () => text };
}
