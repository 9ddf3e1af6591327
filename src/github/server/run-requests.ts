import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { isHostRefusal, isMagisError } from "../../model/error.ts";
import type { Log } from "../../ports/log.ts";
import type { RunAsker } from "../../ports/run-asker.ts";
import { parseJson } from "../../text/bounded.ts";
import type { Answer } from "./answer.ts";

export const RUNS_PATH = "/api/runs";

/** Bytes. */
export const LONGEST_RUN_REQUEST = 64 * 1024;

const BOUNDS = { length: LONGEST_RUN_REQUEST, depth: 4, parts: 100 };

/** Seconds that a request's time may differ from ours. */
const WINDOW = 300;

const NAME = "(?!\\.{1,2}(?:/|$))[\\w.-]{1,100}";

const bodyShape = z.strictObject({
  repository: z.string().regex(new RegExp(`^${NAME}/${NAME}$`)),
  issue: z.int().positive().max(999_999_999),
  person: z.string().regex(/^[\w.-]{1,100}(\[bot\])?$/),
  hint: z.string().max(10_000).optional(),
});

/** Answers requests to `RUNS_PATH`. */
export interface RunRequests {
  answer(headers: IncomingHttpHeaders, body: Buffer): Promise<Answer>;
}

/** The headers that sign a request of that time, in seconds since 1970. */
export function signRunRequest(secret: string, body: string, seconds: number): Readonly<Record<string, string>> {
  const timestamp = String(seconds);
  const signature = `sha256=${macOf(secret, timestamp, Buffer.from(body)).toString("hex")}`;
  return { "x-magis-timestamp": timestamp, "x-magis-signature-256": signature };
}

function macOf(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
}

export interface RunRequestParts {
  readonly secret: string;
  readonly ask: RunAsker;
  readonly log: Log;
  /** milliseconds since 1970 */
  readonly now?: () => number;
}

function valueIn(text: string): unknown {
  const parsed = parseJson(text, BOUNDS);
  return parsed.fault === undefined ? parsed.value : undefined;
}

const STATUS = { forbidden: 403, conflict: 409, invalid: 422 } as const;

/**
 * Makes the answers to requests for runs that are signed with `secret` and at most five minutes old. A request is known
 * by what was signed, so that the same one starts nothing twice. Logs no content of refused requests.
 */
export function createRunRequests({ secret, ask, log, now = Date.now }: RunRequestParts): RunRequests {
  return {
    async answer(headers, body) {
      const refused = refusalOf(headers, body, secret, now());
      if (refused !== undefined) {
        log.warn({ status: 401 }, refused);
        return sentence(401, refused);
      }
      const { data } = bodyShape.safeParse(valueIn(body.toString("utf8")));
      if (!data) return sentence(422, "Send JSON: repository (OWNER/REPO), issue, person, and perhaps hint.");
      const { repository, issue, person, hint = "" } = data;
      const [owner = "", name = ""] = repository.split("/");
      const signed = `${String(headers["x-magis-timestamp"])}.`;
      const digest = createHash("sha256").update(signed).update(body).digest("hex");
      try {
        const id = `request-${digest.slice(0, 32)}`;
        const answered = await ask({ owner, name, issue, person, hint, id, digest });
        if ("refused" in answered) return sentence(STATUS[answered.refused], answered.reason);
        const headers = { "content-type": "application/json; charset=utf-8" };
        return { status: 202, text: `${JSON.stringify(answered)}\n`, headers };
      } catch (error) {
        return failed(error, log);
      }
    },
  };
}

function refusalOf(headers: IncomingHttpHeaders, body: Buffer, secret: string, now: number): string | undefined {
  const { "x-magis-timestamp": timestamp, "x-magis-signature-256": signature } = headers;
  const wrong = "The signature is missing or does not match the secret.";
  if (typeof timestamp !== "string" || typeof signature !== "string") return wrong;
  const hex = /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (hex === undefined || !/^\d{10}$/.test(timestamp)) return wrong;
  if (!timingSafeEqual(Buffer.from(hex, "hex"), macOf(secret, timestamp, body))) return wrong;
  const isOld = Math.abs(now / 1000 - Number(timestamp)) > WINDOW;
  return isOld ? "The request's time is more than five minutes from this server's." : undefined;
}

function failed(error: unknown, log: Log): Answer {
  log.warn({ error }, "a signed request could not be answered");
  if (isHostRefusal(error)) return sentence(422, "GitHub does not let the app work on that repository.");
  const isAway = isMagisError(error, "HOST_UNREACHABLE", "DATABASE_UNAVAILABLE");
  return isAway
    ? sentence(503, "GitHub or the database cannot be reached now. Please ask again later.")
    : sentence(500, "The request could not be kept; the bot's log says why.");
}

function sentence(status: number, text: string): Answer {
  return { status, text: `${text}\n` };
}
