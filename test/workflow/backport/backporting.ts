import { readRecord } from "../../../src/model/read-record.ts";
import type { Step } from "../../../src/ports/runs.ts";
import { backportPullRequest } from "../../../src/workflow/backport/backport-pull-request.ts";
import { runPhases } from "../../../src/workflow/run/phase-runner.ts";
import type { RunTools } from "../../../src/workflow/run/run-tools.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { createFakeRepository } from "../../fakes/create-fake-repository.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { openWorkshop } from "../open-workshop.ts";

const NUMBER = 9;

type Files = Readonly<Record<string, string>>;

/** The numbers 1 to 9, a line each, some replaced. */
export const lines = (changes: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 9 }, (_, at) => `${changes[at + 1] ?? at + 1}\n`).join("");

/** How a pull request was merged. */
export type Way = "merge" | "squash" | "rebase";

/** `main` with a pull request merged into it, which changed `files` in two commits; branches with files of their own. */
export async function backporting({
  way = "squash",
  files = [{ "a.txt": lines({ 2: "two" }) }],
  branches = { "release/1": {} },
  script = {},
}: {
  readonly way?: Way;
  readonly files?: readonly Files[];
  /** undefined takes a file away */
  readonly branches?: Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;
  readonly script?: FakeScript;
} = {}) {
  const shop = await openWorkshop({
    files: { "a.txt": lines() },
    script,
    issue: { number: NUMBER, title: "fix: say two", isPullRequest: true, open: false },
  });
  const { state, base, faults, tools: workshop } = shop;
  const { objects } = state;
  const commit = (
    parents: readonly string[],
    changes: Readonly<Record<string, string | undefined>>,
    message: string,
  ) => {
    const edits = Object.entries(changes).map(([path, text]) => ({
      path,
      blob: text === undefined ? null : objects.addBlob(Buffer.from(text)),
    }));
    const tree = objects.addTree(objects.commit(parents[0] ?? "").tree, edits);
    return objects.addCommit({ tree, parents, message, author: "ana", verified: true }, message);
  };
  const onto = (from: string, word: string) => {
    const made: string[] = [];
    for (const [at, changes] of files.entries()) made.push(commit([made.at(-1) ?? from], changes, `${word} ${at + 1}`));
    return made;
  };
  const all: Files = Object.assign({}, ...files);
  const before = commit([base.commit], { "other.txt": "other\n" }, "Something else");
  const own = onto(base.commit, "Own commit");
  const head = own.at(-1) ?? "";
  const rebased = way === "rebase" ? onto(before, "Rebased") : [];
  const merges = {
    merge: () => commit([before, head], all, "Merge pull request #9"),
    squash: () => commit([before], all, "fix: say two (#9)"),
    rebase: () => rebased.at(-1) ?? "",
  };
  const mergeCommit = merges[way]();
  objects.refs.set("refs/heads/main", mergeCommit);
  for (const [branch, changes] of Object.entries(branches))
    objects.refs.set(`refs/heads/${branch}`, commit([base.commit], { VERSION: branch, ...changes }, `Begin ${branch}`));
  state.pullRequests.push({
    number: NUMBER,
    url: "https://host.example/pull/9",
    title: "fix: say two",
    body: "As it says.",
    open: false,
    merged: true,
    draft: false,
    branch: "two",
    head,
    base: "main",
    author: "ana",
    byApp: false,
    createdAt: "2026-01-01T00:00:00Z",
    mergeCommit,
  });
  const host = {
    ...workshop.host,
    // The list of the fake takes what the base lacks; after the merge it lacks nothing.
    listCommits: async () => own.map((id) => ({ id, author: "ana", byApp: false })),
    pullsOf: async (id: string) => ([mergeCommit, ...own, ...rebased].includes(id) ? [NUMBER] : []),
  };
  const tools: RunTools = {
    ...workshop,
    host,
    kept: async () => readRecord({}),
    earlierRun: () => ({
      record: async () => readRecord({}),
      state: async () => undefined,
      saveState: async () => undefined,
    }),
    openPrompts: () => shop.prompts,
    takeTurn: async () => undefined,
    openRepository: async (id) => faults.watch(createFakeRepository(objects, id)),
    openTree: async (id) => createFakeRepository(objects, id),
    close: () => undefined,
  };
  const work = { kind: "backport", branches: Object.keys(branches) } as const;
  const id = "ana/shop#9@order";
  const trigger = {
    kind: "other-command",
    commentId: 50,
    command: { verb: "backport", branches: work.branches },
    on: "pull request",
  } as const;
  const request = sampleRequest({ id, root: id, issue: NUMBER, trigger, work });
  /** `step` may keep the results of finished steps. */
  const run = (step: Step = (_name, body) => body({ signal: new AbortController().signal })) =>
    runPhases(backportPullRequest(request), { open: async () => tools, step, log: tools.log });
  return {
    ...shop,
    tools,
    request,
    run,
    commits: { before, own, rebased, mergeCommit },
    opened: () => state.pullRequests.filter(({ byApp }) => byApp),
    answers: () => state.comments.map(({ body }) => body),
  };
}
