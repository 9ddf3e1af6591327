import { z } from "zod";
import type { MagisError } from "../../data/error.ts";
import { attempt } from "../../github/errors.ts";
import { parseJson, readBeginning } from "../../text/bounded.ts";

/** An HTTP answer. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** the body as JSON; undefined when it is not JSON */
  data: unknown;
}

/** No answer, with the reason as the end of a sentence, e.g. `did not answer within 10 s`. */
export interface Silence {
  silence: string;
}

/** Requests an http(s) address once, within a time limit and without following redirects. Never throws. */
export type Ask = (
  url: string,
  request?: { method?: "POST"; headers?: Record<string, string>; body?: string },
) => Promise<Reply | Silence>;

const LIMIT_MS = 10_000;

/** In bytes. The longest answer that we need is the description of a model. */
const LONGEST_REPLY = 1024 * 1024;

/** Makes an `Ask` over fetch. `signal` aborts open requests; `limitMs` bounds each one. */
export function createAsk(signal: AbortSignal, limitMs = LIMIT_MS): Ask {
  return async (url, request = {}) => {
    const limit = AbortSignal.timeout(limitMs);
    try {
      const response = await fetch(url, {
        ...request,
        headers: { "user-agent": "magis-doctor", ...request.headers },
        redirect: "manual",
        signal: AbortSignal.any([signal, limit]),
      });
      const text = new TextDecoder().decode(await readBeginning(response.body, LONGEST_REPLY));
      const { value: data } = parseJson(text, { length: LONGEST_REPLY }) as { value?: unknown };
      return { status: response.status, headers: response.headers, text, data };
    } catch (error) {
      return { silence: limit.aborted ? `did not answer within ${limitMs / 1000} s` : silenceOf(error) };
    }
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses connections: nothing listens there",
  ENOTFOUND: "has no address: the host name is not known (DNS)",
  ECONNRESET: "broke the connection off",
  UND_ERR_SOCKET: "broke the connection off",
};

const CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME|SELF_SIGNED|TLS|SSL/;

function silenceOf(error: unknown): string {
  const [code = "no reason is known"] = codesOf(error);
  if (CERTIFICATE.test(code)) return `has a certificate that is not accepted (${code})`;
  return REASONS[code] ?? `could not be asked (${code})`;
}

/** fetch hides the system's error in `cause`, and those of several addresses in its `errors`. */
function codesOf(error: unknown): readonly string[] {
  if (typeof error !== "object" || error === null) return [];
  const { code, errors = [], cause } = error as { code?: unknown; errors?: unknown[]; cause?: unknown };
  return [...(typeof code === "string" ? [code] : []), ...errors.flatMap(codesOf), ...codesOf(cause)];
}

const MAX_LENGTH = 200;

const messageShape = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
]);

/** An unwelcome answer as the end of a sentence: `answered 403 (Not allowed)`. */
export function replyText(reply: Reply | Silence): string {
  if ("silence" in reply) return reply.silence;
  const message = (messageShape.safeParse(reply.data).data ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
  return `answered ${reply.status}${message === "" ? "" : ` (${message})`}`;
}

/** GitHub's answer, or its refusal as a sentence. `action` ends "GitHub refused to …". */
export async function askGithub<T>(
  action: string,
  request: () => Promise<{ data: T }>,
): Promise<{ data: T } | { refusal: string; status?: number }> {
  return attempt(action, request).then(
    ({ data }) => ({ data }),
    ({ message, data }: MagisError) => ({ refusal: message, status: data.status as number | undefined }),
  );
}
