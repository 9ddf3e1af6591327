import { botAuthor } from "./bot-author.ts";
import { checkedCommit } from "./checked-commit.ts";
import type { CommitInput } from "./committing.ts";

/**
 * Pushes the objects to a ref that is no branch, has the host make the commit from their tree, so that it is signed,
 * and lets the branch begin there, or go on to it. The staging ref goes away whatever happens.
 */
export async function commitByStaging(input: CommitInput): Promise<string> {
  const { stagingRef, parent, tree, message, date, repository, host, land } = input;
  const author = botAuthor(host);
  const staged = await repository.writeCommit({ tree, parents: [parent], message, author, date });
  await repository.push(staged, stagingRef);
  try {
    const commit = await checkedCommit(host, message, tree, parent);
    await land(commit);
    return commit;
  } finally {
    await host.deleteRef(stagingRef.replace(/^refs\//, ""));
  }
}
