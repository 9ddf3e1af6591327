import { botAuthor } from "./bot-author.ts";
import type { CommitInput } from "./committing.ts";

/** A plain push of our own commit, unsigned: what every git host takes. */
export async function commitByPush({
  branch,
  parent,
  tree,
  message,
  date,
  repository,
  host,
}: CommitInput): Promise<string> {
  const commit = await repository.writeCommit({
    tree,
    parents: [parent],
    message,
    author: botAuthor(host),
    date,
  });
  await repository.push(commit, `refs/heads/${branch}`);
  return commit;
}
