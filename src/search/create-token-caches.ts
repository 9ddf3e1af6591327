import type { RepositoryId } from "../model/repository-id.ts";
import { TokenCache } from "./token-cache.ts";

/** How many repositories' tokens are kept at a time, the least recently used going first, and how much of each. */
const MAX_REPOSITORIES = 4;
const MAX_BYTES = 128 * 1024 * 1024;

/** Gives each repository of each installation its own cache of counted tokens, so that a second run reads what changed. */
export function createTokenCaches(): (repository: RepositoryId) => TokenCache {
  const caches = new Map<string, TokenCache>();
  return ({ installationId, owner, name }) => {
    const key = `${installationId}:${owner}/${name}`;
    const cache = caches.get(key) ?? new TokenCache({ mostBytes: MAX_BYTES });
    caches.delete(key);
    caches.set(key, cache);
    const [oldest] = caches.keys();
    if (caches.size > MAX_REPOSITORIES && oldest !== undefined) caches.delete(oldest);
    return cache;
  };
}
