import type { RepositoryState } from "../state.ts";

/** The branches whose tip is `sha`. */
export async function branchesAt(repo: RepositoryState, sha: string): Promise<string[]> {
  const heads = [...(await repo.bare.refs())].filter(([ref, tip]) => ref.startsWith("refs/heads/") && tip === sha);
  return heads.map(([ref]) => ref.slice("refs/heads/".length));
}
