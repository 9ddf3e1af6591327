import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { ActionWork } from "../../src/commands/action/job-runner.ts";
import { endRunOfJob } from "../../src/commands/action/kept-run.ts";
import type { Delivery, RunRequest } from "../../src/data/run-request.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const labelled: Delivery = {
  id: "actions-5-1",
  repository: { owner: "ana", name: "shop", installationId: 1 },
  issue: 7,
  actor: "ana",
  actorIsBot: false,
  trigger: { kind: "label", label: "magis" },
  at: "2026-01-01T12:00:00Z",
};
const checked: Delivery = { ...labelled, trigger: { kind: "checks", head: "1".repeat(40), branch: "magis/issue-7-a" } };
const own = "ana/shop#7@actions-5-1";
const kept = sampleRequest({ id: own, root: own, delivery: "actions-5-1" });

/** What a later step of the job does about a kept run. */
async function ended(request: RunRequest, delivery = labelled) {
  const folder = mkdtempSync(join(tmpdir(), "magis-kept-"));
  writeFileSync(join(folder, "magis-run.json"), JSON.stringify({ request, done: false }));
  const { host, faults, base } = createFakeHost({ "a.txt": "a\n" });
  await host.createBranch("magis/issue-8-b", base.commit);
  const pull = { title: "b", body: "", branch: "magis/issue-8-b", base: "main", draft: true };
  await host.openPullRequest(pull);
  const before = faults.calls.length;
  const work = { environment: { RUNNER_TEMP: folder }, host } as unknown as ActionWork;
  const answer = await endRunOfJob(delivery, work);
  return { answer, asked: faults.calls.slice(before) };
}

describe("the run that a job has left behind", () => {
  it.each<[string, Partial<RunRequest>, Delivery]>([
    ["of another issue", { issue: 8 }, labelled],
    [
      "of another issue under its own id",
      { issue: 8, id: "ana/shop#8@actions-5-1", root: "ana/shop#8@actions-5-1" },
      labelled,
    ],
    ["of another repository", { repository: { ...kept.repository, name: "bank" } }, labelled],
    ["of another job", { id: "ana/shop#7@actions-4-1", root: "ana/shop#7@actions-4-1" }, labelled],
    ["that continues another", { root: "ana/shop#7@delivery-1" }, labelled],
    [
      "on another pull request",
      { issue: 101, id: "ana/shop#101@actions-5-1", root: "ana/shop#101@actions-5-1" },
      checked,
    ],
  ])("is left alone when it is one %s", async (_, changes, delivery) => {
    const { answer, asked } = await ended({ ...kept, ...changes }, delivery);
    expect(answer).toEqual({ said: ["The kept run is not the one of this job."] });
    expect(asked.filter((call) => !/^read/.test(String(call)))).toEqual([]);
  });
});
