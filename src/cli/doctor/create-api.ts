import type { Ask, Reply, Silence } from "./ask.ts";

/** GitHub's REST API with one authorization. */
export interface Api {
  get(path: string): Promise<Reply | Silence>;
  post(path: string, body: object): Promise<Reply | Silence>;
}

/** `token` gives the JWT of the app or an installation's token. */
export function createApi(ask: Ask, apiUrl: string, token: () => Promise<string>): Api {
  const headers = async () => ({
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    authorization: `Bearer ${await token()}`,
  });
  return {
    get: async (path) => ask(`${apiUrl}${path}`, { headers: await headers() }),
    post: async (path, body) =>
      ask(`${apiUrl}${path}`, {
        method: "POST",
        headers: { ...(await headers()), "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}
