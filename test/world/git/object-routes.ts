import { failure } from "../front/answers.ts";
import type { Call, Fields, Route } from "../state.ts";
import { type Person, renderGitCommit, type TreeEntry, writeCommit, writeTree } from "./commits.ts";

/** Blobs, trees and commits of the REST git data API, written to and read from the real repository. */
export function objectRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/git";
  return [
    ["POST", `${R}/blobs`, createBlob],
    ["GET", `${R}/blobs/{sha}`, getBlob],
    ["POST", `${R}/trees`, createTree],
    ["GET", `${R}/trees/{sha+}`, getTree],
    ["POST", `${R}/commits`, createCommit],
    ["GET", `${R}/commits/{sha}`, getCommit],
  ];
}

async function createBlob(call: Call) {
  const input = Buffer.from(String(call.body.content), call.body.encoding === "base64" ? "base64" : "utf8");
  const sha = (await call.repo.bare.run(["hash-object", "-w", "--stdin"], { input })).toString().trim();
  return { status: 201, body: { sha } };
}

async function getBlob(call: Call) {
  const blob = await call.repo.bare.read(`${call.params.sha}^{blob}`);
  if (blob === undefined) return failure(404, "Not Found");
  const { id: sha, content } = blob;
  const shown = { content: content.toString("base64"), encoding: "base64" };
  return { status: 200, body: { sha, size: content.length, ...shown } };
}

async function createTree(call: Call) {
  const { bare } = call.repo;
  const entries = call.body.tree as TreeEntry[];
  for (const { sha } of entries)
    if (sha !== null && (await bare.resolve(`${sha}^{object}`)) === undefined)
      return failure(422, `tree.sha ${sha} is not a valid blob`);
  const base = await bare.resolve(`${String(call.body.base_tree)}^{tree}`);
  if (base === undefined) return failure(422, "base_tree is not a valid tree oid");
  return { status: 201, body: await treeBody(call, await writeTree(bare, base, entries), false) };
}

async function getTree(call: Call) {
  const sha = await call.repo.bare.resolve(`${call.params.sha}^{tree}`);
  if (sha === undefined) return failure(404, "Not Found");
  return { status: 200, body: await treeBody(call, sha, call.query.has("recursive")) };
}

async function treeBody(call: Call, sha: string, recursive: boolean): Promise<Fields> {
  const flags = recursive ? ["-r", "-t"] : [];
  const lines = (await call.repo.bare.fixed("ls-tree", "-z", "--long", ...flags, sha)).split("\0").filter(Boolean);
  const tree = lines.map((line) => {
    const [, mode, type, id, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t([\s\S]*)$/.exec(line) ?? [];
    const sized = size === "-" ? {} : { size: Number(size) };
    return { path, mode, type, sha: id, ...sized };
  });
  return { sha, tree, truncated: false };
}

async function createCommit({ state, repo, actor, body }: Call) {
  const tree = await repo.bare.resolve(`${String(body.tree)}^{tree}`);
  if (tree === undefined) return failure(422, "Tree SHA does not exist");
  const parents = (body.parents ?? []) as string[];
  for (const parent of parents)
    if ((await repo.bare.resolve(`${parent}^{commit}`)) === undefined)
      return failure(422, "Parent SHA does not exist or is not a commit object");
  const sha = await writeCommit(state, repo, actor, {
    tree,
    parents,
    message: String(body.message),
    author: body.author as Person | undefined,
  });
  return { status: 201, body: await renderGitCommit(repo, sha) };
}

async function getCommit({ repo, params }: Call) {
  const sha = await repo.bare.resolve(`${params.sha}^{commit}`);
  if (sha === undefined) return failure(404, "Not Found");
  return { status: 200, body: await renderGitCommit(repo, sha) };
}
