import { redactSecrets } from "./redact-secrets.ts";

const MAX_LENGTH = 500;

/**
 * GitHub's reason in plain words, from the body of a refused request:
 * `message`, then what its `errors` say, without the address of the documentation.
 */
export function refusalSentence(body: unknown): string {
  if (typeof body !== "object" || body === null) return "no reason was given";
  const message = "message" in body && typeof body.message === "string" ? body.message : "";
  const errors = "errors" in body && Array.isArray(body.errors) ? body.errors.map(detail).filter(Boolean) : [];
  const sentence = [message, errors.join("; ")].filter(Boolean).join(": ");
  return redactSecrets(sentence || "no reason was given").slice(0, MAX_LENGTH);
}

function detail(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  if ("message" in error && typeof error.message === "string") return error.message;
  const part = (name: string): string => String((error as Record<string, unknown>)[name] ?? "");
  return [part("resource"), part("field"), part("code")].filter(Boolean).join(" ");
}
