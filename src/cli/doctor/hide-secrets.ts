import type { Finding } from "./finding.ts";

/** Shorter texts stand in ordinary words too. */
const MIN_LENGTH = 4;

/** The finding without any of `secrets`, tokens of GitHub, JWTs and passwords in addresses: others' words are quoted in it. */
export function hideSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const clean = (text: string) =>
    secrets
      .filter((secret) => secret.length >= MIN_LENGTH)
      .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text)
      .replace(/\b(?:gh[a-z]_|github_pat_)[\w.-]+/g, "[secret]")
      .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "[secret]")
      .replace(/(:\/\/)[^/\s@]+@/g, "$1[secret]@");
  return {
    ...finding,
    text: clean(finding.text),
    ...(finding.remedy !== undefined && { remedy: clean(finding.remedy) }),
  };
}
