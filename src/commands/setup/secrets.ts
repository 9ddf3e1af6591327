import { randomBytes, timingSafeEqual } from "node:crypto";

/** A secret that nobody can guess, in characters that are safe in a URL. */
export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Compares two secrets in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** How long an invitation is valid. */
export const INVITATION_MINUTES = 60;

/** Lets one browser in: a secret that works once, for an hour. `now` gives milliseconds of a steady clock. */
export class Invitation {
  #secret = makeSecret();
  #until: number;
  #isUsed = false;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#until = this.#now() + INVITATION_MINUTES * 60_000;
  }

  get secret(): string {
    return this.#secret;
  }

  /** Uses it up. `renewed`: the secret was right but too late, and there is a new one. */
  take(given: string): "taken" | "refused" | "renewed" {
    if (this.#isUsed || !isSameSecret(given, this.#secret)) return "refused";
    if (this.#now() > this.#until) {
      this.#secret = makeSecret();
      this.#until = this.#now() + INVITATION_MINUTES * 60_000;
      return "renewed";
    }
    this.#isUsed = true;
    return "taken";
  }
}
