import { readRecord } from "../../../src/data/read-record.ts";
import type { RunRequest } from "../../../src/data/run-request.ts";
import type { RunSettings } from "../../../src/data/settings.ts";
import { revisePullRequest } from "../../../src/follow-up/revise/revise-pull-request.ts";
import { runPhases } from "../../../src/run/phase-runner.ts";
import type { RunContext } from "../../../src/run/run-context.ts";
import type { Step } from "../../../src/run/runs.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleOutcome } from "../../fakes/sample-outcome.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { sampleTask } from "../../fakes/sample-task.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";
import { addOwnPull, type Files, NUMBER, ROOT } from "../own-pull.ts";

/** A pull request of the app on a.txt and b.txt, opened by a run with a record; steps run at once. */
export async function revising(
  script: FakeScript = {},
  work: Partial<RunRequest> = {},
  {
    settings = PAPER,
    files = {},
    first = { "a.txt": "A\n" },
  }: {
    first?: Files;
    settings?: Partial<RunSettings>;
    files?: Record<string, string>;
  } = {},
) {
  const shop = await openWorkshop({
    settings,
    files: { "a.txt": "a\n", "b.txt": "b\n", ...files },
    script: { "p10-write-code": "changed", ...script },
  });
  const { state, base, store, tools: workshop } = shop;
  const { head, tip, push } = addOwnPull(state, base.commit, first);
  const opened = await store.openWriter(ROOT);
  await opened.saveRecord("start", { issue: sampleIssue(), base, by: ROOT });
  await opened.saveRecord("plan", planOf([sampleTask({ path: "a.txt" })]));
  await opened.saveRecord("work", { outcomes: [sampleOutcome({ path: "a.txt" })], changes: [], patch: "" });
  await opened.saveState(workshop.tracker.state());

  const request = sampleRequest({
    id: "ana/shop#9@review",
    root: "ana/shop#9@review",
    issue: NUMBER,
    trigger: { kind: "review" },
    work: { kind: "revise", because: "feedback" },
    ...work,
  });
  const tools: RunContext = {
    ...workshop,
    request,
    kept: async () => readRecord({}),
    openRepository: async (commit) => shop.openRepository(commit),
  };
  /** `step` may keep the results of finished steps. */
  const run = (
    step: Step = (_name, body) => body({ signal: new AbortController().signal }),
    wait?: (ms: number) => Promise<void>,
  ) => runPhases(revisePullRequest(), { open: async () => tools, step, log: tools.log, wait });
  const said = (author: string, body: string, byBot = false) => ({
    id: state.next(),
    author,
    byBot,
    body,
    createdAt: "2026-01-02T00:00:00Z",
  });
  return {
    ...shop,
    tools,
    request,
    run,
    push,
    store,
    said,
    head,
    tip,
    thread(path: string, body: string, author = "ana", lines: { line?: number; startLine?: number } = {}) {
      const thread = {
        id: `thread-${state.next()}`,
        resolved: false,
        pullRequest: NUMBER,
        path,
        ...lines,
        comments: [said(author, body)],
      };
      state.threads.push(thread);
      return thread;
    },
    comment(body: string, author = "ana") {
      const comment = { ...said(author, body), nodeId: "node", updatedAt: "2026-01-02T00:00:00Z" };
      state.comments.push(comment);
      return comment.id;
    },
  };
}
