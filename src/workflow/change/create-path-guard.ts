import type { Repository } from "../../ports/repository.ts";
import { readAttributes } from "../../search/read-attributes.ts";
import type { PathPolicy } from "./create-path-policy.ts";
import type { Proposal } from "./proposal.ts";
import { refusePath } from "./refuse-path.ts";

/** Why a proposal may not become a task, in words, or nothing when it may. */
export type PathGuard = (proposal: Proposal) => { readonly path: string; readonly reason: string } | undefined;

/** A guard that knows the repository's files, what its .gitattributes files say of them, and what its maintainers protect. */
export async function createPathGuard(
  repository: Pick<Repository, "entries" | "readBlob">,
  policy: PathPolicy,
): Promise<PathGuard> {
  const { entries } = repository;
  const attributesOf = await readAttributes(entries.values(), (blob) => repository.readBlob(blob));
  return (proposal) => {
    const { path } = proposal;
    const glob = policy.protectedBy(path);
    const reason = glob
      ? `it is protected (\`${glob}\`)`
      : policy.ignored(path)
        ? "the configuration ignores it"
        : refusePath(proposal, entries, attributesOf(path));
    return reason === undefined ? undefined : { path, reason };
  };
}
