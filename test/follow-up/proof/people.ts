import type { HostState } from "../../fakes/host-state.ts";

/** Commits to the first pull request, and changes `path` if one is given. */
export function commitTo({ objects, pullRequests }: HostState, author: string, path?: string): void {
  const [pull] = pullRequests;
  if (!pull) throw new Error("there is no pull request");
  const blob = objects.addBlob(Buffer.from("export const sum = (a, b) => b + a;\n"));
  const tree = objects.addTree(objects.commit(pull.head).tree, path === undefined ? [] : [{ path, blob }]);
  const head = objects.addCommit({ tree, parents: [pull.head], message: "Mine", author, verified: false }, "later");
  objects.refs.set(`refs/heads/${pull.branch}`, head);
  pullRequests[0] = { ...pull, head };
}

/** A person's actions on the first pull request while its run waits. */
export const PERSON = {
  pushes: (state: HostState) => commitTo(state, "ana"),
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
