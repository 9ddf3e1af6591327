import { randomBytes, timingSafeEqual } from "node:crypto";

/** A secret that nobody guesses, in characters that an address may hold. */
export const makeSecret = (): string => randomBytes(32).toString("base64url");

/** Whether two secrets are the same, in a time that says nothing of them. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** How long an invitation is good. */
export const INVITATION_MINUTES = 60;

/**
 * What lets one browser in: a secret for one use, good for an hour. `now` gives milliseconds that are never set back.
 */
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

  /** Uses it up. `renewed`: the secret was right and came too late, and there is another now. */
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
