import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Hands plain data to a browser that can neither read nor change it, for a limited time. */
export interface Seal<T> {
  seal(value: T): string;
  /** Undefined for what was not sealed here, or is too old. */
  open(text: string): T | undefined;
}

const NONCE = 12;

const TAG = 16;

/**
 * Seals with AES-256-GCM under a key derived from `secret` for `purpose` alone, so that every machine with the secret can
 * open it.
 * @param seconds how long it can be opened
 * @param now milliseconds since the epoch; by the wall clock, since the seal outlives the process
 */
export function createSeal<T>(secret: string, purpose: string, seconds: number, now: () => number = Date.now): Seal<T> {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `magis dashboard: ${purpose}`, 32));
  return {
    seal(value) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const text = JSON.stringify({ value, until: now() + seconds * 1000 });
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(text) {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length <= NONCE + TAG) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      try {
        const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]);
        // Only we can have written it.
        const { value, until } = JSON.parse(opened.toString("utf8")) as { value: T; until: number };
        return until > now() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
