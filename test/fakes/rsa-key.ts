import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";

type Form = "pkcs1" | "pkcs8";

let key: KeyObject | undefined;

/**
 * An app's private key as PEM. Making one takes up to half a second, so a test file shares one, and a whole run of the
 * tests too (`test/share-key.js`).
 */
export function rsaKey(form: Form = "pkcs8"): string {
  const { MAGIS_TEST_KEY: made } = process.env;
  key ??= made ? createPrivateKey(made) : makeKey();
  return asPem(key, form);
}

/** A new key. */
export function anotherRsaKey(): string {
  return asPem(makeKey(), "pkcs8");
}

const makeKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

const asPem = (key: KeyObject, type: Form) => key.export({ type, format: "pem" }).toString();
