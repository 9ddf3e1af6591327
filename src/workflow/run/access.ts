import { isHostRefusal } from "../../model/error.ts";
import type { CodeHost } from "../../ports/code-host.ts";

type Verb = (...values: unknown[]) => unknown;

/**
 * The same host, and a signal that aborts once the app can no longer see the repository: whenever the host refuses
 * something, it is asked for the repository itself.
 */
export function watchAccess(host: CodeHost): { readonly host: CodeHost; readonly lost: AbortSignal } {
  const lost = new AbortController();
  const askForRepository = async () => {
    await host.defaultBranch().catch((error: unknown) => {
      if (isHostRefusal(error)) lost.abort();
    });
  };
  const watched = new Proxy(host, {
    get(own, key) {
      const value: unknown = Reflect.get(own, key);
      if (typeof value !== "function") return value;
      return async (...values: unknown[]) => {
        try {
          return await (value as Verb).apply(own, values);
        } catch (error) {
          if (isHostRefusal(error)) await askForRepository();
          throw error;
        }
      };
    },
  });
  return { host: watched, lost: lost.signal };
}
