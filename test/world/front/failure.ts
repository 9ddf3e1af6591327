import type { Answer } from "../state.ts";

/** An error in GitHub's form. */
export function failure(status: number, message: string, errors?: unknown[]): Answer {
  const body = {
    message,
    errors,
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  };
  return { status, body };
}
