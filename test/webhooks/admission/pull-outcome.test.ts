import { expect, it } from "@jest/globals";
import { createPullOutcome } from "../../../src/webhooks/admission/pull-outcome.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { openOwnPull } from "./admitting.ts";

/** Looks twice at the bot's pull request after its end, and gives the comments on the issue. */
async function told(how: { base: string; merged: boolean }, issue: { open?: boolean } = {}) {
  const { host, state } = createFakeHost({ "a.txt": "a" }, { issue });
  const { number } = await openOwnPull(host, { base: how.base });
  state.pullRequests[0] = { ...state.pullRequests[0], open: false, merged: how.merged } as never;
  const look = createPullOutcome(async () => host);
  const { repository } = sampleRequest();
  for (let times = 0; times < 2; times++) await look({ repository, number }, undefined);
  return state.comments.map(({ body }) => body);
}

it("tells the issue, once, of a merge that does not close it", async () => {
  const [comment, ...more] = await told({ base: "release/2", merged: true });
  expect(comment).toContain("was merged into `release/2`");
  expect(more).toEqual([]);
});

it.each([
  ["a merge that closes it", { base: "main", merged: true }, {}],
  ["no merge", { base: "release/2", merged: false }, {}],
  ["a merge after it was closed", { base: "release/2", merged: true }, { open: false }],
])("says nothing to the issue of %s", async (_what, how, issue) => {
  expect(await told(how, issue)).toEqual([]);
});
