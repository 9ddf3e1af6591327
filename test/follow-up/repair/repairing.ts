import { repairChecks } from "../../../src/follow-up/repair/repair-checks.ts";
import type { Check } from "../../../src/github/code-host.ts";
import { runPhases } from "../../../src/run/phase-runner.ts";
import type { RunContext } from "../../../src/run/run-context.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import type { HostState } from "../../fakes/host-state.ts";
import { sampleCheck } from "../../fakes/sample-check.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { NUMBER } from "../own-pull.ts";
import { revising } from "../revise/revising.ts";

const FILES = {
  "src/sum.js": "export const sum = 1;\n",
  "test/sum.test.js": 'import { sum } from "../src/sum.js";\n',
  "test/clock.test.js": 'import { clock } from "../src/time/clock.js";\n',
  "src/time/clock.js": "export const clock = 1;\n",
  "test/all.test.js": 'import "../src/time/facade.js";\n',
  "src/time/facade.js": 'export * from "../sum.js";\n',
};

export const check = (state: Check["state"], more: Partial<Check> = {}): Check =>
  sampleCheck(state, { url: "u", jobId: 1, checkRunId: 1, ...more });

/** Moves main on by a commit on `base`, and gives the new tip. */
export function nextOnMain({ objects, login }: HostState, base: string): string {
  const { tree } = objects.commit(base);
  const tip = objects.addCommit({ tree, parents: [base], message: "Next", author: login, verified: true }, "next");
  objects.refs.set("refs/heads/main", tip);
  return tip;
}

export const logOf = (file: string) => `FAIL ${file}\n  ● it works\n    at Object.<anonymous> (${file}:1:10)\n`;

const planOf = (path: string) => ({
  repairable: true,
  reason: "It is wrong.",
  title: "mend it",
  tasks: [{ path, action: "modify", title: "Mend", description: "Mend it." }],
});

/**
 * A pull request that changes src/sum.js. Its check `test` was green on the base and fails with `file` in its log. The
 * repair replaces the first line of `path` by `text`; `onPlan` happens while the Manager plans it.
 */
export async function repairing(
  file: string,
  {
    onPlan = () => {},
    path = "src/sum.js",
    text = "export const sum = 3;",
    verifier,
    answers = {},
  }: {
    answers?: FakeScript;
    onPlan?: (state: HostState, head: string) => void;
    path?: string;
    text?: string;
    verifier?: RunContext["verifier"];
  } = {},
) {
  const reds: (number | undefined)[] = [];
  const script = {
    "k01-plan-repair": () => {
      onPlan(state, head);
      return planOf(path);
    },
    "p09-change-file": {
      edits: [{ start: 1, end: 1, anchor: "", text }],
      summary: "It is right.",
      replies: [],
      qaEngineer: { title: "QA Engineer", description: "Looks." },
    },
    ...answers,
  };
  const shop = await revising(
    script,
    {},
    { settings: { profile: "lean" }, files: FILES, first: { "docs/sum.md": "A sum.\n" } },
  );
  const { state, tools } = shop;
  const head = shop.push({ "src/sum.js": "export const sum = 2;\n" }, state.login);
  const base = state.objects.commit(shop.head).parents[0] ?? "";
  state.checks.set(base, [check("passed")]);
  state.checks.set(head, [check("failed")]);
  state.jobLogs.set(1, logOf(file));
  const id = "ana/shop#9@checks";
  const own = {
    ...tools,
    verifier,
    openPrompts: (signal: AbortSignal, count?: number) => {
      reds.push(count);
      return tools.openPrompts(signal);
    },
  };
  const requestOn = (commit: string) =>
    sampleRequest({ id, root: id, issue: NUMBER, work: { kind: "repair", head: commit } });
  const runOn = (commit: string, { step } = keptSteps()) =>
    runPhases(repairChecks(requestOn(commit)), {
      open: async () => own,
      step,
      log: tools.log,
    });
  const run = (steps?: ReturnType<typeof keptSteps>) => runOn(head, steps);
  const said = () => state.comments.filter(({ author }) => author === state.login).map(({ body }) => body);
  return { ...shop, request: requestOn(head), head, base, run, runOn, said, reds };
}
