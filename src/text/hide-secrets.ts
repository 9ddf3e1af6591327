/** Shorter texts occur in ordinary words. */
const MIN_SECRET = 4;

/** So many characters of a secret in a row are hidden; fewer occur in any text. */
const MIN_PART = 8;

const MASK = "[secret]";

/** Anybody's secrets, by their form: GitHub tokens, passwords in addresses. */
const LOOKS_SECRET: readonly (readonly [RegExp, string])[] = [
  [/\b(?:gh[a-z]_|github_pat_)[\w.-]+/g, MASK],
  [/(:\/\/)[^/\s@]+@/g, `$1${MASK}@`],
];

/**
 * Takes secrets out of a text from outside: each of `secrets`, plain and percent-encoded, every part of one with at
 * least eight characters, and whatever looks like a token or a password. Call it before cutting the text: a cut key is
 * still a key.
 */
export function hideSecrets(text: string, secrets: readonly string[] = []): string {
  const known = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const hidden = known.reduce((rest, secret) => hideParts(rest, secret), text);
  return LOOKS_SECRET.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), hidden.replace(WORD, hideJwt));
}

const WORD = /[\w.-]+/g;

/** A word without the JWT in it, which has two dots behind its beginning. */
function hideJwt(word: string): string {
  const at = word.search(/\beyJ/);
  const first = at < 0 ? -1 : word.indexOf(".", at);
  return first < 0 || word.indexOf(".", first + 1) < 0 ? word : `${word.slice(0, at)}${MASK}`;
}

function hideParts(text: string, secret: string): string {
  if (secret.length <= MIN_PART) return text.replaceAll(secret, MASK);
  const parts = new Set<string>();
  for (let at = 0; at + MIN_PART <= secret.length; at += 1) parts.add(secret.slice(at, at + MIN_PART));
  let shown = "";
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at + MIN_PART <= text.length && parts.has(text.slice(at, at + MIN_PART))) {
      if (at >= end) shown += MASK;
      end = at + MIN_PART;
    } else if (at >= end) shown += text[at];
  }
  return shown;
}

/**
 * An error that may be logged: name, message, stack and causes (three deep), all without `secrets` and each at most
 * 20,000 characters long. Drops what libraries attach to their errors, such as requests and answers. Any other value
 * becomes an error with the value as its message.
 */
export function withoutSecrets(error: unknown, secrets: readonly string[] = [], depth = 3): Error {
  const hide = (text: string) => hideSecrets(text.slice(0, MAX_SHOWN), secrets);
  if (!isErrorLike(error)) return new Error(hide(String(error)));
  const hasCause = error.cause !== undefined && depth > 1;
  const cause = hasCause ? { cause: withoutSecrets(error.cause, secrets, depth - 1) } : undefined;
  const plain = new Error(hide(error.message), cause);
  plain.name = error.name;
  plain.stack = hide(error.stack ?? plain.stack ?? "");
  if (typeof error.code === "string" || typeof error.code === "number") Object.assign(plain, { code: error.code });
  return plain;
}

/** Characters of a message: an endpoint may answer with megabytes. */
const MAX_SHOWN = 20_000;

/** Goes by shape, not by class: errors of another realm, such as a worker's, count too. */
function isErrorLike(value: unknown): value is Error & { code?: unknown } {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}
