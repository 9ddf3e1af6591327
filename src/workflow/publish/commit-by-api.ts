import { MagisError } from "../../model/magis-error.ts";
import type { ChangedFile } from "../change/changed-files.ts";
import { checkedCommit } from "./checked-commit.ts";
import type { CommitInput } from "./committing.ts";

/** Makes blobs, tree, commit and branch through the host's API: for hosts that take no staging ref. */
export async function commitByApi({
  parent,
  files,
  tree,
  message,
  repository,
  host,
  land,
}: CommitInput): Promise<string> {
  const { tree: baseTree } = await host.readCommit(parent);
  const entries = [];
  for (const file of files) entries.push(await entryOf(file));
  const made = await host.createTree(baseTree, entries);
  if (made !== tree)
    throw new MagisError("HOST_REFUSED", "The host made a tree that is not the one it was asked for.", { made, tree });
  const commit = await checkedCommit(host, message, tree, parent);
  await land(commit);
  return commit;

  async function entryOf({ path, after }: ChangedFile) {
    const mode = repository.entries.get(path)?.mode ?? "100644";
    return { path, mode, blob: after === undefined ? null : await host.createBlob(after) };
  }
}
