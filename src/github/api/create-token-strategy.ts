import { setTimeout as wait } from "node:timers/promises";
import type { TokenSource } from "./create-token-source.ts";
import { isHttpFailure } from "./is-http-failure.ts";

/**
 * An authentication strategy for the client that takes its token from `tokens` before each request.
 * A refused token was revoked or, in its first seconds, has not reached every server of GitHub yet:
 * a new one is asked for, then tried once more after a second.
 */
export function createTokenStrategy(tokens: TokenSource) {
  const hook = async <Options extends { headers: object }, Answer>(
    send: (options: Options) => Promise<Answer>,
    options: Options,
  ): Promise<Answer> => {
    for (let refused = 0; ; refused++) {
      const token = await tokens(refused === 1);
      try {
        return await send({ ...options, headers: { ...options.headers, authorization: `token ${token}` } });
      } catch (error) {
        if (!isHttpFailure(error) || error.status !== 401 || refused === 2) throw error;
        if (refused === 1) await wait(1000);
      }
    }
  };
  return () => Object.assign(async () => ({ type: "token", token: await tokens() }), { hook });
}
