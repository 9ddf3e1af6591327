import { toHostError } from "./to-host-error.ts";

/**
 * Does `work` against the host.
 * @param action what it does, to follow "GitHub refused to …"
 * @throws MagisError HOST_REFUSED, HOST_NOT_FOUND or HOST_UNREACHABLE, and nothing else
 */
export async function attempt<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHostError(action, error);
  }
}
