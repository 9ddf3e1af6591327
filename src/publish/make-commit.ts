import type { ChangedFile } from "../change/working-copy.ts";
import { botAuthor } from "../data/bot-author.ts";
import { isHostRefusal, isMagisError, MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { isChange, parentsOf } from "../data/marks.ts";
import type { Repository } from "../git/repository.ts";
import type { CodeHost } from "../github/code-host.ts";
import type { CommitWay } from "../report/pull-request-body.ts";

const WAYS: readonly { way: CommitWay; make: (input: CommitInput) => Promise<string> }[] = [
  { way: "signed by GitHub", make: commitByStaging },
  { way: "signed by GitHub, through the API alone", make: commitByApi },
  { way: "pushed, unsigned", make: commitByPush },
];

/** A person's commits are pushed as their own. */
const OWN_WAY = [{ way: "pushed in a person's name", make: commitByPush }] as const;

/**
 * Makes the commit in the best way that the host takes: pushed objects with a commit that the host makes and signs,
 * everything through its API, a plain push. Never forced. Throws the last refusal, and GIT_BRANCH_MOVED at once.
 */
export async function makeCommit(input: CommitInput, log: Log): Promise<{ id: string; way: CommitWay }> {
  let refusal: unknown;
  for (const { way, make } of input.host.author ? OWN_WAY : WAYS) {
    try {
      return { id: await make(input), way };
    } catch (error) {
      if (!isHostRefusal(error, "GIT_PUSH_REFUSED", "GIT_TOKEN_REFUSED")) throw error;
      log.warn({ error, way }, "the host refused the commit made this way");
      refusal = error;
    }
  }
  throw refusal;
}

/** Makes blobs, tree, commit and branch through the host's API, for hosts that refuse a staging ref. */
async function commitByApi(input: CommitInput): Promise<string> {
  const { files, tree, repository, host, land } = input;
  const { tree: baseTree } = await host.readCommit(repository.commit);
  const entries = [];
  for (const file of files) entries.push(await entryOf(file));
  const made = await host.createTree(baseTree, entries);
  if (made !== tree)
    throw new MagisError("HOST_REFUSED", "The host made a tree that is not the one it was asked for.", { made, tree });
  const commit = await checkedCommit(input);
  await land(commit);
  return commit;

  async function entryOf({ path, after, mode }: ChangedFile) {
    const kept = mode ?? repository.entries.get(path)?.mode ?? "100644";
    return { path, mode: kept, blob: after === undefined ? null : await host.createBlob(after) };
  }
}

/** A plain push of our own unsigned commit, which every git host takes. */
async function commitByPush({
  branch,
  parent,
  merges,
  tree,
  message,
  closes,
  date,
  repository,
  host,
}: CommitInput): Promise<string> {
  const commit = await repository.writeCommit({
    tree,
    parents: parentsOf(parent, merges),
    message,
    closes,
    author: botAuthor(host),
    date,
  });
  await repository.push(commit, `refs/heads/${branch}`);
  return commit;
}

/**
 * Pushes the objects to a ref that is no branch, has the host make the commit from their tree, so that it is signed,
 * and lets the branch begin there, or go on to it. The staging ref goes away whatever happens.
 */
async function commitByStaging(input: CommitInput): Promise<string> {
  const { stagingRef, parent, merges, tree, message, closes, date, repository, host, land } = input;
  const author = botAuthor(host);
  const staged = await repository.writeCommit({
    tree,
    parents: parentsOf(parent, merges),
    message,
    closes,
    author,
    date,
  });
  const dropStaging = () => host.deleteRef(stagingRef.replace(/^refs\//, ""));
  await repository.push(staged, stagingRef).catch(async (error: unknown) => {
    if (!isMagisError(error, "GIT_BRANCH_MOVED")) throw error;
    // Left by an earlier try whose push took effect after its end.
    await dropStaging();
    await repository.push(staged, stagingRef);
  });
  try {
    const commit = await checkedCommit(input);
    await land(commit);
    return commit;
  } finally {
    await dropStaging();
  }
}

/** Has the host make a commit of `tree` on `parent`, and checks that it is one. Gives its id. */
async function checkedCommit({ host, message, tree, parent, merges, closes }: CommitInput): Promise<string> {
  const commit = await host.createCommit(message, tree, parentsOf(parent, merges), closes);
  if (isChange(commit, parent, tree, merges)) return commit.id;
  throw new MagisError("HOST_REFUSED", "The host made a commit that is not the one it was asked for.", { commit });
}

/** A commit that is to be made. */
export interface NewCommit {
  files: readonly ChangedFile[];
  message: string;
  /** the one issue that the message may close */
  closes?: number | undefined;
  /** the commit that this one merges: its second parent */
  merges?: string | undefined;
  /** the same at every try, so that a commit made again is the same commit */
  date: Date;
  /** the commit that `files` change: the parent, or for a merge the commit that is merged */
  repository: Repository;
  host: CodeHost;
}

/** What a way of making the commit works with. */
export interface CommitInput extends NewCommit {
  /** a ref outside refs/heads where objects wait for their commit; one a run */
  stagingRef: string;
  branch: string;
  /** the commit's parent, the first one of a merge */
  parent: string;
  /** the tree with the change, written in memory */
  tree: string;
  /** Makes the branch begin at a commit that the host has made, or go on to it; never forced. */
  land(commit: string): Promise<void>;
}
