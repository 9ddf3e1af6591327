import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { createRunStore } from "../../../src/app/in-memory.ts";
import { actionCommand } from "../../../src/commands/action/action-command.ts";
import type { ActionWork } from "../../../src/commands/action/job-runner.ts";
import { endRunOfJob, performKept } from "../../../src/commands/action/kept-run.ts";
import { COMMANDS, VERBS } from "../../../src/data/command.ts";
import type { Delivery, RunRequest } from "../../../src/data/run-request.ts";
import type { RunState } from "../../../src/data/run-state.ts";
import type { CodeHost } from "../../../src/github/code-host.ts";
import { spentOn } from "../../../src/report/issue-spending.ts";
import { readCommandConfig } from "../../../src/settings/environment/read-config.ts";
import type { LocalDependencies } from "../../../src/workflow/dry-run/job.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { commandContext } from "../command-context.ts";

const AT = "2026-01-01T12:00:00Z";

/** A job's log about a comment on an issue, without a token. */
async function saidOf(comment: string): Promise<string> {
  const event = join(mkdtempSync(join(tmpdir(), "magis-event-")), "event.json");
  const payload = {
    action: "created",
    repository: { name: "shop", owner: { login: "ana" } },
    sender: { login: "ana", type: "User" },
    issue: { number: 7, title: "T", body: "", state: "open", locked: false, updated_at: AT, user: { type: "User" } },
    comment: { id: 5, body: comment, created_at: AT },
  };
  writeFileSync(event, JSON.stringify(payload));
  const environment = {
    GITHUB_EVENT_NAME: "issue_comment",
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: "ana/shop",
    ANTHROPIC_API_KEY: "none",
  };
  const lines: string[] = [];
  const progress = (line: string) => void lines.push(line);
  await actionCommand.run({ options: {} }, commandContext({ environment, progress }));
  return lines.join("\n");
}

describe("a command in a job of GitHub Actions", () => {
  it.each(VERBS)("is accepted, or refused with a reason: %s", async (verb) => {
    const { inAction } = COMMANDS[verb];
    expect(await saidOf(`/magis ${verb}`)).toContain(
      inAction === true ? "`github-token` is empty" : `\`/magis ${verb}\` ${inAction}`,
    );
  });
});

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

it("keeps what a cancelled review has cost on the issue whose budget it uses, not on the pull request", async () => {
  const { host: one, base } = createFakeHost({ "a.txt": "a\n" });
  /** The issue or pull request of each comment, which the fake does not tell apart. */
  const places = new Map<number, number>();
  const host: CodeHost = {
    ...one,
    async createComment(place, body) {
      const made = await one.createComment(place, body);
      places.set(made.id, place);
      return made;
    },
    listComments: async (place) => (await one.listComments(place)).filter(({ id }) => places.get(id) === place),
  };
  await host.createBranch("magis/issue-7-a", base.commit);
  const pull = { title: "a", body: "", branch: "magis/issue-7-a", base: "main", draft: true };
  const { number } = await host.openPullRequest(pull);
  const cancel = new AbortController();
  const work: ActionWork = {
    environment: { RUNNER_TEMP: mkdtempSync(join(tmpdir(), "magis-kept-")) },
    config: readCommandConfig({}, undefined, { ANTHROPIC_API_KEY: "key" }),
    host,
    log: createFakeLog().log,
    signal: cancel.signal,
    progress: () => undefined,
  };
  const local = { store: createRunStore().store } as LocalDependencies;
  const spend = { calls: 1, tokens: 10, money: 0.5, elapsed: 1 };
  const state: RunState = { phases: [], tasks: [], spend, resumed: 0 };
  const request: RunRequest = { ...kept, issue: number, work: { kind: "revise", because: "feedback" } };
  const { said } = await performKept(request, { local, before: { money: 0, tokens: 0 } }, work, async ({ store }) => {
    await (await store.openWriter(request.root)).saveState(state);
    cancel.abort();
    return { kind: "cancelled", by: "", undone: [] };
  });
  expect(said).toEqual([expect.stringContaining("The job was cancelled")]);
  expect(await spentOn(host, 7)).toEqual({ money: 0.5, tokens: 10 });
});
