import type { HostState } from "../fakes/host-state.ts";

/** The run that opened the pull request. */
export const ROOT = "ana/shop#7@first";

export const NUMBER = 9;

const BRANCH = "magis/issue-7-words";

/** null: deleted */
export type Files = Readonly<Record<string, string | null>>;

/** Adds the bot's pull request #9 for issue 7, with one commit on `base` that changes `own`. */
export function addOwnPull(state: HostState, base: string, own: Files) {
  const { objects, login, pullRequests } = state;
  const tip = () => objects.refs.get(`refs/heads/${BRANCH}`) ?? "";
  const commit = (parent: string, changes: Files, author: string) => {
    const edits = Object.entries(changes).map(([path, text]) => ({
      path,
      blob: text === null ? null : objects.addBlob(Buffer.from(text)),
    }));
    const tree = objects.addTree(objects.commit(parent).tree, edits);
    return objects.addCommit({ tree, parents: [parent], message: "Words", author, verified: true }, author);
  };
  /** Pushes to the pull request's branch. */
  const push = (changes: Files, author: string, parent = tip()) => {
    const head = commit(parent, changes, author);
    objects.refs.set(`refs/heads/${BRANCH}`, head);
    const at = pullRequests.findIndex(({ number }) => number === NUMBER);
    const pull = pullRequests[at];
    if (pull) pullRequests[at] = { ...pull, head };
    return head;
  };
  const head = push(own, login, base);
  pullRequests.push({
    number: NUMBER,
    url: "https://host.example/pull/9",
    title: "Words",
    body: `<!-- magis:run ${ROOT} -->\nWords.`,
    open: true,
    merged: false,
    createdAt: "2026-01-01T00:00:00Z",
    draft: false,
    branch: BRANCH,
    head,
    base: "main",
    author: login,
    byApp: true,
  });
  return { head, tip, commit, push };
}
