import { renderRepository } from "../hooks/render-repository.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";

/** The open pull requests with head `sha`, in the short form inside checks. */
export async function pullsAt(state: WorldState, repo: RepositoryState, sha: string): Promise<Fields[]> {
  const { id, url, name } = await renderRepository(state, repo);
  const short = { id, url, name };
  const pulls = [...repo.pulls.values()].filter((pull) => pull.open && pull.headSha === sha);
  return Promise.all(
    pulls.map(async ({ number, headRef, headSha, baseRef, baseSha }) => {
      const row = await renderPull(state, repo, number);
      return {
        id: row.id,
        number,
        url: row.url,
        head: { ref: headRef, sha: headSha, repo: short },
        base: { ref: baseRef, sha: baseSha, repo: short },
      };
    }),
  );
}
