import { MagisError } from "../../model/magis-error.ts";
import type { CodeHost } from "../../ports/code-host.ts";

/**
 * In place of the host of a repository that has none: it knows no blob beyond the clone, and refuses everything else
 * with HOST_REFUSED, so that nothing can be written by mistake.
 * @param cloneUrl where the repository is, as `OpenRepository` takes it
 * @param token what it needs to be read, if anything
 */
export function absentHost(cloneUrl: string, token: () => Promise<string> = async () => ""): CodeHost {
  const known: Partial<CodeHost> = {
    login: "",
    cloneUrl,
    cloneToken: token,
    readBlob: async () => undefined,
  };
  return new Proxy(known as CodeHost, {
    get(own, key) {
      // A promise that gives the host asks whether it is one itself.
      if (Reflect.has(own, key) || key === "then") return Reflect.get(own, key);
      return async () => {
        throw new MagisError("HOST_REFUSED", "The repository has no code host here.", { verb: String(key) });
      };
    },
  });
}
