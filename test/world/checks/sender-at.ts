import { renderCommit } from "../git/render-commit.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";

/** The sender of automatic events on a commit: its author, or else some member of the repository. */
export async function senderAt(state: WorldState, repo: RepositoryState, sha: string): Promise<string> {
  const { author } = (await renderCommit(state, repo, sha)) as Fields & { author: { login: string } | null };
  const somebody = [...repo.roles.keys()][0] ?? [...state.tokens.values()].find(({ kind }) => kind === "user")?.login;
  const login = author?.login ?? somebody;
  if (login === undefined) throw new Error(`nobody could have made ${sha} in the world`);
  return login;
}
