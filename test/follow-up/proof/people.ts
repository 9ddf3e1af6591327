import type { HostState } from "../../fakes/host-state.ts";

/** A person's actions on the first pull request while its run waits. */
export const PERSON = {
  pushes({ objects, pullRequests }: HostState): void {
    const [pull] = pullRequests;
    if (!pull) return;
    const { tree } = objects.commit(pull.head);
    const commit = { tree, parents: [pull.head], message: "Mine", author: "ana", verified: false };
    const head = objects.addCommit(commit, "hers");
    objects.refs.set(`refs/heads/${pull.branch}`, head);
    pullRequests[0] = { ...pull, head };
  },
  closes({ pullRequests }: HostState): void {
    const [pull] = pullRequests;
    if (pull) pullRequests[0] = { ...pull, open: false };
  },
  merges({ pullRequests }: HostState): void {
    const [pull] = pullRequests;
    if (pull) pullRequests[0] = { ...pull, open: false, merged: true };
  },
  /** The host closes the pull request along with its branch. */
  "deletes its branch"({ objects, pullRequests }: HostState): void {
    const [pull] = pullRequests;
    if (!pull) return;
    objects.refs.delete(`refs/heads/${pull.branch}`);
    pullRequests[0] = { ...pull, open: false };
  },
} as const;

/** Somebody merges another change of `path` into main. */
export function mergeElsewhere({ objects }: HostState, path: string): void {
  const tip = objects.refs.get("refs/heads/main") ?? "";
  const blob = objects.addBlob(new TextEncoder().encode("// other\n"));
  const tree = objects.addTree(objects.commit(tip).tree, [{ path, mode: "100644", blob }]);
  const moved = { tree, parents: [tip], message: "Other", author: "ana", verified: false };
  objects.refs.set("refs/heads/main", objects.addCommit(moved, "theirs"));
}
