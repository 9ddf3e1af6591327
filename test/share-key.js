import { generateKeyPairSync } from "node:crypto";

/** Jest's global set-up of the units: one private key of an app for all tests, which takes up to half a second to make. */
// biome-ignore lint/style/noDefaultExport: Jest takes its set-up as a default export
export default function shareKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  process.env.MAGIS_TEST_KEY ??= privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
