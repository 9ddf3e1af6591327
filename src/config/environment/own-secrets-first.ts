/** Each secret, and the variables that say where it is sent. */
const SENT_TO: Readonly<Record<string, readonly string[]>> = {
  ANTHROPIC_API_KEY: ["ANTHROPIC_BASE_URL"],
  GITHUB_TOKEN: ["GHE_HOST", "GHE_PROTOCOL"],
};

/**
 * `texts` without the addresses that only a file names, for each secret that is the environment's own. Commands are
 * given in working copies of other people's repositories, and a `.env` there must not choose where a secret goes.
 */
export function ownSecretsFirst(
  texts: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const isOwn = (name: string) => (environment[name] ?? "").trim() !== "";
  const left = Object.entries(SENT_TO).flatMap(([secret, addresses]) => (isOwn(secret) ? addresses : []));
  return { ...texts, ...Object.fromEntries(left.filter((name) => !isOwn(name)).map((name) => [name, undefined])) };
}
