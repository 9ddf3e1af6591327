import { describe, expect, it } from "@jest/globals";
import { markers } from "../../../src/model/marks.ts";
import { stagingRef } from "../../../src/workflow/publish/land-commit.ts";
import { rollback } from "../../../src/workflow/publish/rollback.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { publishing } from "./publishing.ts";

/** A published change, or one with no pull request yet, and the tools to take it back. */
async function published({ pull = true } = {}) {
  const shop = await publishing();
  await shop.publish();
  const { state, tools, base } = shop;
  if (!pull) state.pullRequests.splice(0);
  const branch = [...state.objects.refs.keys()].find((ref) => ref.startsWith("refs/heads/magis/")) ?? "";
  const kept = async () => ({ start: { issue: tools.issue, base, by: sampleRequest().id }, others: {} });
  const take = (request = sampleRequest()) => rollback(request, { host: tools.host, kept, settings: tools.settings });
  return { ...shop, branch, name: branch.slice("refs/heads/".length), take, kept };
}

describe("rollback", () => {
  it("closes the pull request, takes the run's mark off it, and deletes the branch", async () => {
    const { take, state, name } = await published();
    expect(await take()).toEqual([`pull request #${state.pullRequests[0]?.number} (closed)`, `the branch \`${name}\``]);
    expect(state.pullRequests[0]?.open).toBe(false);
    expect(state.pullRequests[0]?.body).not.toContain(markers.run(sampleRequest().id));
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
    expect(await take()).toEqual([]);
  });

  it("deletes a branch without a pull request, and the objects that wait for their commit", async () => {
    const { take, state, name, base } = await published({ pull: false });
    state.objects.refs.set(stagingRef(sampleRequest().root), base.commit);
    expect(await take()).toEqual([`the branch \`${name}\``]);
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
  });

  it("finds the branch that was made beside the taken one of an earlier run", async () => {
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

  it("touches nothing of a run that only answers feedback", async () => {
    const { take, state } = await published();
    expect(await take(sampleRequest({ work: { kind: "revise", asked: false } }))).toEqual([]);
    expect(state.pullRequests[0]?.open).toBe(true);
  });
});
