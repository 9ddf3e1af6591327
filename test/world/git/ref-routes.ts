import { failure } from "../front/answers.ts";
import type { Call, Fields, Route } from "../state.ts";
import { branchMoved } from "./branch-moved.ts";

/** Refs of the REST git data API and branches, read from and moved in the real repository. */
export function refRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["GET", `${R}/git/ref/{ref+}`, getRef],
    ["POST", `${R}/git/refs`, createRef],
    ["PATCH", `${R}/git/refs/{ref+}`, updateRef],
    ["DELETE", `${R}/git/refs/{ref+}`, deleteRef],
  ];
}

async function refBody({ repo }: Call, ref: string, sha: string): Promise<Fields> {
  return { ref, object: { type: (await repo.bare.read(sha))?.type, sha } };
}

async function getRef(call: Call) {
  const ref = `refs/${call.params.ref}`;
  const sha = await call.repo.bare.tip(ref);
  return sha === undefined ? failure(404, "Not Found") : { status: 200, body: await refBody(call, ref, sha) };
}

async function createRef(call: Call) {
  const { state, repo, actor, body } = call;
  const ref = String(body.ref);
  if (!/^refs\/[^/]+\/./.test(ref))
    return failure(422, "Reference name must start with 'refs/' and have at least two slashes.");
  const sha = await repo.bare.resolve(`${String(body.sha)}^{object}`);
  if (sha === undefined) return failure(422, "Object does not exist");
  if ((await repo.bare.tip(ref)) !== undefined) return failure(422, "Reference already exists");
  try {
    await repo.bare.git("update-ref", ref, sha, "");
  } catch {
    return failure(422, "Reference update failed");
  }
  await branchMoved(state, repo, actor, { ref, before: undefined, after: sha });
  return { status: 201, body: await refBody(call, ref, sha) };
}

async function updateRef(call: Call) {
  const { state, repo, actor, body } = call;
  const ref = `refs/${call.params.ref}`;
  const before = await repo.bare.tip(ref);
  const after = await repo.bare.resolve(`${String(body.sha)}^{object}`);
  if (before === undefined) return failure(422, "Reference does not exist");
  if (after === undefined) return failure(422, "Object does not exist");
  if (body.force !== true && !(await repo.bare.isAncestor(before, after)))
    return failure(422, "Update is not a fast forward");
  await repo.bare.git("update-ref", ref, after, before);
  await branchMoved(state, repo, actor, { ref, before, after });
  return { status: 200, body: await refBody(call, ref, after) };
}

async function deleteRef({ state, repo, actor, params }: Call) {
  const ref = `refs/${params.ref}`;
  const before = await repo.bare.tip(ref);
  if (before === undefined) return failure(422, "Reference does not exist");
  if (ref === `refs/heads/${repo.defaultBranch}`) return failure(422, "Cannot delete the default branch");
  await repo.bare.git("update-ref", "-d", ref, before);
  await branchMoved(state, repo, actor, { ref, before, after: undefined });
  return { status: 204 };
}
