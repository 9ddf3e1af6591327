import type { z } from "zod";
import type { Config } from "./config-config.ts";
import type { environmentSchema } from "./environment-schema.ts";

/** Where GitHub is: github.com, or the GitHub Enterprise Server that was named. */
export function githubAddresses({
  GHE_HOST: host,
  GHE_PROTOCOL: protocol,
}: Pick<z.output<typeof environmentSchema>, "GHE_HOST" | "GHE_PROTOCOL">): Pick<Config["github"], "apiUrl" | "webUrl"> {
  const enterprise = host === undefined ? undefined : `${protocol}://${host}`;
  return {
    apiUrl: enterprise ? `${enterprise}/api/v3` : "https://api.github.com",
    webUrl: enterprise ?? "https://github.com",
  };
}
