import { z } from "zod";
import { type Bounds, parseJson } from "../../text/bounded.ts";

/** An HTTP answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** the body as JSON; undefined when it is not JSON */
  readonly data: unknown;
}

/** No answer, with the reason as the end of a sentence, e.g. `did not answer within 10 s`. */
export interface Silence {
  readonly silence: string;
}

export interface Question {
  readonly method?: "GET" | "POST" | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Requests an http(s) address once, within a time limit and without following redirects. Never throws. */
export type Ask = (url: string, question?: Question) => Promise<Reply | Silence>;

const LIMIT_MS = 10_000;

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses connections: nothing listens there",
  ENOTFOUND: "has no address: the host name is not known (DNS)",
  EAI_AGAIN: "has no address: names cannot be looked up at the moment (DNS)",
  ECONNRESET: "broke the connection off",
  TIMEOUT: "did not answer in time",
  TOO_LONG: "answered with more than 16 MiB",
  EHOSTUNREACH: "cannot be reached from this machine",
  ENETUNREACH: "cannot be reached from this machine",
  UND_ERR_SOCKET: "broke the connection off",
  UND_ERR_CONNECT_TIMEOUT: "did not take the connection in time",
};

const BROKEN: ReadonlySet<string> = new Set(["UND_ERR_SOCKET", "ECONNRESET"]);

const CERTIFICATE = /CERT|SIGNATURE|ISSUER|ALTNAME|SELF_SIGNED|TLS|SSL/;

/** Makes an `Ask` over fetch. `signal` aborts open requests; `limitMs` bounds each one. */
export function createAsk(signal: AbortSignal, limitMs = LIMIT_MS): Ask {
  return async (url, { method = "GET", headers = {}, body } = {}) => {
    const limit = AbortSignal.timeout(limitMs);
    const send = () =>
      sendOnce(url, {
        method,
        headers: { "user-agent": "magis-doctor", ...headers },
        redirect: "manual",
        body,
        signal: AbortSignal.any([signal, limit]),
      });
    try {
      // A kept-alive connection may have been closed meanwhile; that is no fault of the server.
      return await send().catch((error: unknown) => {
        if (method === "GET" && codesOf(error).some((code) => BROKEN.has(code))) return send();
        throw error;
      });
    } catch (error) {
      if (signal.aborted) return { silence: "was not waited for" };
      if (limit.aborted) return { silence: `did not answer within ${limitMs / 1000} s` };
      return { silence: silenceOf(error) };
    }
  };
}

async function sendOnce(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await textOf(response);
  return { status: response.status, headers: response.headers, text, data: parsed(text) };
}

/** In bytes. The longest answer that we need is a list of models. */
const LARGEST_REPLY: Bounds = { length: 16 * 1024 * 1024 };

/** The text of a body. When it is too long, throws an error that `silenceOf` can explain. */
async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > LARGEST_REPLY.length) throw Object.assign(new Error("too long"), { code: "TOO_LONG" });
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function parsed(text: string): unknown {
  const read = parseJson(text, LARGEST_REPLY);
  return read.fault === undefined ? read.value : undefined;
}

/** fetch hides the system's error in `cause`, and those of several addresses in its `errors`. */
function codesOf(error: unknown): readonly string[] {
  if (typeof error !== "object" || error === null) return [];
  return [
    ...("code" in error && typeof error.code === "string" ? [error.code] : []),
    ...("name" in error && error.name === "TimeoutError" ? ["TIMEOUT"] : []),
    ...("errors" in error && Array.isArray(error.errors) ? error.errors.flatMap(codesOf) : []),
    ...("cause" in error ? codesOf(error.cause) : []),
  ];
}

/** Why no answer came, as the end of a sentence, from the error of a request. */
export function silenceOf(error: unknown): string {
  const codes = codesOf(error);
  const known = codes.map((code) => REASONS[code]).find((reason) => reason !== undefined);
  if (known !== undefined) return known;
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate !== undefined) return `has a certificate that is not accepted (${certificate})`;
  return `could not be asked${codes[0] === undefined ? "" : ` (${codes[0]})`}`;
}

const MAX_LENGTH = 200;

const messageShape = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
]);

/** An unwelcome answer as the end of a sentence: `answered 403 (Not allowed)`. */
export function replyText(reply: Pick<Reply, "status" | "data"> | Silence): string {
  if ("silence" in reply) return reply.silence;
  const message = (messageShape.safeParse(reply.data).data ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
  return `answered ${reply.status}${message === "" ? "" : ` (${message})`}`;
}

/** The data, or how GitHub refused it, as a clause: `GitHub answered 403 (Not allowed)`. */
export type ApiAnswer<T> = { readonly data: T } | { readonly refusal: string; readonly status?: number | undefined };

/** GitHub's REST API, always asked with the same authorization. Nothing here throws. */
export interface Api {
  read<T>(path: string, shape: z.ZodType<T>): Promise<ApiAnswer<T>>;
  /** Gets a token of an installation. */
  grant(
    installation: number,
    asked: { readonly repositories: string[]; readonly permissions?: Record<string, "read" | "write"> },
  ): Promise<ApiAnswer<{ readonly token: string }>>;
}

/** GitHub as the app asks it, and as the bearer of a token does. */
export interface GithubAccess {
  readonly app: Api;
  withToken(token: string): Api;
}
