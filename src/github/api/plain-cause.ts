import { redactSecrets } from "./redact-secrets.ts";

/**
 * The client library's error as a cause that may be logged: name, sentence, stack and what caused it in turn,
 * without the request and the response that the library hangs on it, and without anything that looks like a secret.
 */
export function plainCause(error: Error): Error {
  const cause = error.cause instanceof Error ? { cause: plainCause(error.cause) } : undefined;
  const plain = new Error(redactSecrets(error.message), cause);
  plain.name = error.name;
  plain.stack = redactSecrets(error.stack ?? plain.stack ?? "");
  return plain;
}
