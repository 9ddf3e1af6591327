import { describe, expect, it } from "@jest/globals";
import { appClient } from "./app-client.ts";
import { startWorld } from "./start-world.ts";
import type { World } from "./world-handle.ts";

const at = { owner: "acme", repo: "widget" };

async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  const world = await startWorld();
  try {
    await test(world);
  } finally {
    await world.close();
  }
}

describe("the contract", () => {
  it("reports requests that GitHub's description does not allow", () =>
    inWorld(async (world) => {
      const { octokit } = await appClient(world);
      const alice = world.person("alice");
      await alice.openIssue({ title: "One" });
      expect(world.contract.violations).toEqual([]);
      await octokit
        .request("POST /repos/acme/widget/issues", { title: "Two", labels: "not a list" })
        .catch(() => undefined);
      await octokit.request("GET /repos/acme/widget/pulls?state=any").catch(() => undefined);
      await octokit.request("GET /repos/acme/widget/no-such-thing").catch(() => undefined);
      await octokit.graphql("{ viewer { loginn } }").catch(() => undefined);
      const found = world.contract.violations.join("\n");
      for (const part of [
        "/labels must be array",
        "state=any is not a choice",
        "not in the slice",
        'Cannot query field "loginn"',
      ])
        expect(found).toContain(part);
    }));
});

describe("faults and holds", () => {
  it("give an ordered answer as often as ordered, without acting", () =>
    inWorld(async (world) => {
      const { octokit } = await appClient(world);
      await world.person("alice").openIssue({ title: "One" });
      world.fault({ method: "POST", path: /\/comments$/, status: 502 });
      const comment = () => octokit.rest.issues.createComment({ ...at, issue_number: 1, body: "hello" });
      await expect(comment()).rejects.toMatchObject({ status: 502 });
      expect(await world.issueComments(1)).toEqual([]);
      await comment();
      expect(await world.issueComments(1)).toHaveLength(1);
    }));

  it("cut the connection before or after the request takes effect", () =>
    inWorld(async (world) => {
      const { octokit } = await appClient(world);
      await world.person("alice").openIssue({ title: "One" });
      const comment = () => octokit.rest.issues.createComment({ ...at, issue_number: 1, body: "hello" });
      world.fault({ method: "POST", path: /\/comments$/, reset: "before" });
      await expect(comment()).rejects.toThrow();
      expect(await world.issueComments(1)).toHaveLength(0);
      world.fault({ method: "POST", path: /\/comments$/, reset: "after" });
      await expect(comment()).rejects.toThrow();
      expect(await world.issueComments(1)).toHaveLength(1);
      expect(world.journal.filter(({ status }) => status === 0)).toHaveLength(2);
    }));

  it("hold a request before or after it acts until it is released", () =>
    inWorld(async (world) => {
      const { octokit } = await appClient(world);
      await world.person("alice").openIssue({ title: "One" });
      for (const [when, seen] of [
        ["before", 0],
        ["after", 2],
      ] as const) {
        const hold = world.hold({ method: "POST", path: /\/issues\/1\/comments$/, when });
        const answer = octokit.rest.issues.createComment({ ...at, issue_number: 1, body: when });
        await hold.reached;
        expect(await world.issueComments(1)).toHaveLength(seen);
        hold.release();
        expect((await answer).status).toBe(201);
      }
    }));
});
