import type { RequestOptions } from "../../../src/data/request-options.ts";
import type { RunSettings } from "../../../src/data/settings.ts";
import { updateBranch } from "../../../src/follow-up/update/update-branch.ts";
import { runPhases } from "../../../src/run/phase-runner.ts";
import type { RunContext } from "../../../src/run/run-context.ts";
import type { Step } from "../../../src/run/runs.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { addOwnPull, type Files, NUMBER, ROOT } from "../own-pull.ts";

/** The numbers 1 to 9, a line each, some replaced. */
export const lines = (changes: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 9 }, (_, at) => `${changes[at + 1] ?? at + 1}\n`).join("");

/** The bot's pull request, which changed `own`, and its base, which has moved on by `base`. */
export async function updating({
  files = {},
  own = { "a.txt": lines({ 2: "two" }) },
  base: moved = {},
  script = {},
  settings = {},
  options,
}: {
  files?: Readonly<Record<string, string>>;
  own?: Files;
  base?: Files;
  script?: FakeScript;
  settings?: Partial<RunSettings>;
  options?: RequestOptions;
} = {}) {
  const shop = await openWorkshop({ files: { "a.txt": lines(), "b.txt": "b\n", ...files }, script, settings });
  const { state, base, store, tools: workshop } = shop;
  const { objects } = state;
  const { head, tip, commit, push } = addOwnPull(state, base.commit, own);
  /** Moves the base on. */
  const moveBase = (changes: Files) => {
    const next = commit(objects.refs.get("refs/heads/main") ?? "", changes, "ana");
    objects.refs.set("refs/heads/main", next);
    return next;
  };
  const onBase = Object.keys(moved).length > 0 ? moveBase(moved) : base.commit;
  await (await store.openWriter(ROOT)).saveRecord("start", { issue: sampleIssue(), base, by: ROOT });
  /** `step` may keep the results of finished steps; each run has an id of its own. */
  const run = (step: Step = (_name, body) => body({ signal: new AbortController().signal }), delivery = "push") => {
    const id = `ana/shop#9@${delivery}`;
    const trigger = { kind: "base", tip: onBase } as const;
    const request = sampleRequest({ id, root: id, issue: NUMBER, trigger, work: { kind: "update" }, options });
    const tools: RunContext = {
      ...workshop,
      request,
      openRepository: async (commit) => shop.openRepository(commit),
    };
    return runPhases(updateBranch(), { open: async () => tools, step, log: tools.log });
  };
  return {
    ...shop,
    run,
    push,
    moveBase,
    head,
    onBase,
    tip,
    text: (path: string) => objects.textAt(tip(), path),
    parents: () => objects.commit(tip()).parents,
    said: () => state.comments.map(({ body }) => body),
    body: () => state.pullRequests[0]?.body ?? "",
    ownCheck: () => state.checks.get(tip())?.find(({ byApp }) => byApp),
  };
}
