import { describe, expect, it } from "@jest/globals";
import { markers } from "../../src/data/marks.ts";
import { readRecord } from "../../src/data/read-record.ts";
import type { KeepPart } from "../../src/data/run-record.ts";
import { stagingRef } from "../../src/publish/land-commit.ts";
import { rollback } from "../../src/publish/rollback.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { publishing } from "./publishing.ts";

/** A published change, or one without a pull request so far, and the tools to take it back. */
async function published({ pull = true } = {}) {
  const shop = await publishing();
  await shop.publish();
  const { state, tools, base } = shop;
  if (!pull) state.pullRequests.splice(0);
  const branch = [...state.objects.refs.keys()].find((ref) => ref.startsWith("refs/heads/magis/")) ?? "";
  const parts: Record<string, unknown> = { start: { issue: tools.issue, base, by: sampleRequest().id } };
  const kept = async () => readRecord(parts);
  const record: KeepPart = async (part, value) => void Object.assign(parts, { [part]: value });
  const take = (request = sampleRequest()) => rollback({ ...tools, request, kept, record });
  return { ...shop, branch, name: branch.slice("refs/heads/".length), take, kept };
}

describe("rollback", () => {
  it("deletes a branch with several commits of the app, like a proof's", async () => {
    const { take, state, branch, name } = await published();
    const tip = state.objects.refs.get(branch) ?? "";
    const { tree } = state.objects.commit(tip);
    const fix = { tree, parents: [tip], message: "fix: it", author: state.login, verified: true };
    state.objects.refs.set(branch, state.objects.addCommit(fix, "the fix"));
    expect(await take()).toContain(`the branch \`${name}\``);
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
  });

  it("closes the pull request, removes the run's mark from it, and deletes the branch", async () => {
    const { take, state, name } = await published();
    expect(await take()).toEqual([`pull request #${state.pullRequests[0]?.number} (closed)`, `the branch \`${name}\``]);
    expect(state.pullRequests[0]?.open).toBe(false);
    expect(state.pullRequests[0]?.body).not.toContain(markers.run(sampleRequest().id));
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
    // A second call reports the same.
    expect(await take()).toHaveLength(2);
    expect(await take(sampleRequest({ id: "ana/shop#7@retry" }))).toEqual([]);
  });

  it("deletes a branch without a pull request, and the staging ref", async () => {
    const { take, state, name, base } = await published({ pull: false });
    state.objects.refs.set(stagingRef(sampleRequest().root), base.commit);
    expect(await take()).toEqual([`the branch \`${name}\``]);
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
  });

  it("finds its own branch beside an earlier run's", async () => {
    const { take, state, branch, name } = await published();
    const tip = state.objects.refs.get(branch) ?? "";
    const [pull] = state.pullRequests;
    if (pull) state.pullRequests[0] = { ...pull, open: false, body: markers.run("earlier") };
    state.objects.refs.set(`${branch}-2`, tip);
    expect(await take()).toEqual([`the branch \`${name}-2\``]);
    expect(state.objects.refs.has(branch)).toBe(true);
  });

  it("leaves a branch that a person has committed to", async () => {
    const { take, state, branch } = await published();
    const tip = state.objects.refs.get(branch) ?? "";
    const { tree } = state.objects.commit(tip);
    const own = { tree, parents: [tip], message: "Mine", author: "ben", verified: false };
    state.objects.refs.set(branch, state.objects.addCommit(own, "a person's"));
    expect(await take()).toEqual([`pull request #${state.pullRequests[0]?.number} (closed)`]);
    expect(state.objects.refs.has(branch)).toBe(true);
  });

  it("takes back nothing for a run that only answers feedback", async () => {
    const { take, state } = await published();
    expect(await take(sampleRequest({ work: { kind: "revise", because: "feedback" } }))).toEqual([]);
    expect(state.pullRequests[0]?.open).toBe(true);
  });
});
