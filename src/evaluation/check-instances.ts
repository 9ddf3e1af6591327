import { MagisError } from "../model/magis-error.ts";
import type { Mirror, OpenMirror } from "../ports/mirror.ts";
import type { Instance } from "./instance.ts";

/**
 * The mirrors of the instances' repositories, before anything is paid for.
 * Throws CONFIGURATION_INVALID with a sentence for each instance whose repository or base commit is not there.
 */
export async function checkInstances(
  instances: readonly Instance[],
  openMirror: OpenMirror,
): Promise<ReadonlyMap<string, Mirror>> {
  const mirrors = new Map<string, Mirror>();
  const faults: string[] = [];
  for (const { id, repository, baseCommit } of instances) {
    const mirror = mirrors.get(repository) ?? (await openMirror(repository));
    if (!mirror) {
      faults.push(`${id}: --mirrors has no git repository for ${repository}.`);
      continue;
    }
    mirrors.set(repository, mirror);
    if (await mirror.hasCommit(baseCommit)) continue;
    faults.push(`${id}: the mirror ${mirror.folder} has no commit ${baseCommit}: fetch it first.`);
  }
  if (faults.length === 0) return mirrors;
  throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
}
