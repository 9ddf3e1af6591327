import { randomBytes, timingSafeEqual } from "node:crypto";

/** A secret that nobody can guess, in characters that are safe in a URL. */
export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Compares two secrets in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
