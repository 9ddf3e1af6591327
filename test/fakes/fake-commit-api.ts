import { MagisError } from "../../src/model/error.ts";
import type { CommitApi } from "../../src/ports/code-host.ts";
import { history } from "./fake-pull-request-api.ts";
import type { HostState } from "./host-state.ts";

const decode = (content: Uint8Array | undefined) => new TextDecoder().decode(content);

/** The host's own repository; `readFile` reads its `main`. */
const REPOSITORY = "shop";

export function fakeCommitApi({ objects, login, otherFiles, pullRequests }: HostState): CommitApi {
  const { refs } = objects;
  return {
    async defaultBranch() {
      const name = refs.has("refs/heads/main") ? "main" : "trunk";
      const commit = refs.get(`refs/heads/${name}`);
      if (commit === undefined) throw new MagisError("HOST_NOT_FOUND", "The repository is empty.");
      return { name, commit };
    },
    branchTip: async (branch) => refs.get(`refs/heads/${branch}`),
    readCommit: async (id) => objects.commit(id),
    readBlob: async (blob) => objects.blobs.get(blob),
    async changedPaths(base, head) {
      const [old, now] = [base, head].map((commit) => objects.tree(objects.commit(commit).tree));
      const paths = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
      const shown = (entry?: { mode: string; blob: string }) => entry && `${entry.mode} ${entry.blob}`;
      return [...paths].filter((path) => shown(old?.get(path)) !== shown(now?.get(path))).sort();
    },
    async isAncestor(commit, head) {
      const open = [head];
      const seen = new Set(open);
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        if (id === commit) return true;
        for (const parent of objects.commit(id).parents)
          if (!seen.has(parent)) {
            seen.add(parent);
            open.push(parent);
          }
      }
      return false;
    },
    async mergeBase(one, other) {
      const before = history(objects, one);
      return [...history(objects, other)].find((id) => before.has(id));
    },
    async linesSince(commit, head) {
      const [old, now] = [commit, head].map((id) => objects.tree(objects.commit(id).tree));
      const paths = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
      const linesOf = (blob: string | undefined) => decode(objects.blobs.get(blob ?? "")).split("\n").length - 1;
      const changed = paths.filter((path) => old?.get(path)?.blob !== now?.get(path)?.blob);
      return changed.reduce((sum, path) => sum + linesOf(old?.get(path)?.blob) + linesOf(now?.get(path)?.blob), 0);
    },
    async readFile(repository, path) {
      const own = repository === REPOSITORY;
      return own ? objects.textAt(refs.get("refs/heads/main") ?? "", path) : otherFiles.get(`${repository}/${path}`);
    },
    async listFolder(repository, path) {
      const folder = path === "" ? `${repository}/` : `${repository}/${path}/`;
      const tip = refs.get("refs/heads/main");
      const own = tip === undefined ? [] : [...(objects.tree(objects.commit(tip).tree)?.keys() ?? [])];
      const files = [...own.map((file) => `${REPOSITORY}/${file}`), ...otherFiles.keys()];
      const below = files.filter((file) => file.startsWith(folder));
      return [...new Set(below.map((file) => file.slice(folder.length).replace(/\/.*/, "")))];
    },
    createBlob: async (content) => objects.addBlob(content),
    createTree: async (base, entries) => objects.addTree(base, entries),
    async createCommit(message, tree, parents) {
      objects.tree(tree);
      return objects.commit(
        objects.addCommit({ tree, parents, message, author: login, verified: true }, "on the host"),
      );
    },
    async createBranch(branch, commit) {
      if (refs.has(`refs/heads/${branch}`)) throw new MagisError("HOST_REFUSED", `There is a branch ${branch}.`);
      refs.set(`refs/heads/${branch}`, objects.commit(commit).id);
    },
    async advanceBranch(branch, commit) {
      const tip = refs.get(`refs/heads/${branch}`);
      if (tip !== commit && !objects.commit(commit).parents.includes(tip ?? "")) {
        throw new MagisError("HOST_REFUSED", "It is not a fast-forward.");
      }
      refs.set(`refs/heads/${branch}`, commit);
      for (const [at, pull] of pullRequests.entries()) {
        if (pull.branch === branch) pullRequests[at] = { ...pull, head: commit };
      }
    },
    async deleteRef(ref) {
      refs.delete(`refs/${ref}`);
    },
  };
}
