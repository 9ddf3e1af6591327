import { botAuthor } from "./bot-author.ts";
import { checkedCommit } from "./checked-commit.ts";
import type { Committing } from "./publish-commit.ts";

/**
 * Pushes the objects to a ref that is no branch, has the host make the commit from their tree, so that it is signed,
 * and lets the branch begin there. The staging ref goes away whatever happens.
 */
export async function commitByStaging(committing: Committing): Promise<string> {
  const { stagingRef, branch, base, tree, message, date, repository, host } = committing;
  const author = botAuthor(host.login);
  const staged = await repository.writeCommit({ tree, parents: [base.commit], message, author, date });
  await repository.push(staged, stagingRef);
  try {
    const commit = await checkedCommit(host, message, tree, base.commit);
    await host.createBranch(branch, commit);
    return commit;
  } finally {
    await host.deleteRef(stagingRef.replace(/^refs\//, ""));
  }
}
