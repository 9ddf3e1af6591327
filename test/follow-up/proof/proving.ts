import type { RunSettings } from "../../../src/data/settings.ts";
import type { NewTest, NoVerdictReason, ProofVerdict, Question } from "../../../src/data/verdict.ts";
import type { TriedChange, Verifier } from "../../../src/run/verifier.ts";
import type { HostState } from "../../fakes/host-state.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { resolving } from "../../workflow/resolving.ts";

const SUM = "src/sum.js";
export const TEST = "test/sum.test.js";
const OLD_TEST = 'test("adds nothing", () => {});\n';

const checks = (state: "passed" | "failed") =>
  [{ name: "ci", state, url: "https://host.example/ci", seconds: 30 }] as const;

/** Verdicts of checks. RIGHT names the test that it was asked about. */
export const GREEN: ProofVerdict = { kind: "green", checks: checks("passed") };
export const NOT_RED: ProofVerdict = { kind: "not-red", checks: checks("passed") };
export const WRONG: ProofVerdict = {
  kind: "other-red",
  reason: "import",
  check: "ci",
  tests: [],
  words: "Cannot find module '../sum.js'",
  checks: checks("failed"),
};
export const silent = (reason: NoVerdictReason, ended?: "passed"): ProofVerdict => ({
  kind: "no-verdict",
  reason,
  checks: ended ? checks(ended) : [],
});
export const RIGHT = (asked: readonly NewTest[]): ProofVerdict => ({
  kind: "right-red",
  checks: checks("failed"),
  tests: asked
    .slice(0, 1)
    .map((test) => ({ name: test.name, check: "ci", cause: "assertion", words: "-1 is not 3", test })),
});

/** A verifier's answers in turn, the last one repeated. `before` runs when it is asked. */
type Said = ProofVerdict | typeof RIGHT | { before: (state: HostState) => void; say: ProofVerdict | typeof RIGHT };

export interface Scene {
  base?: readonly Said[];
  red?: readonly Said[];
  green?: readonly Said[];
  settings?: Partial<RunSettings>;
  /** the type of the change in the plan's description */
  type?: string;
  /** the edits of the Developer of the fix */
  fix?: readonly object[];
  /** what the first review of the test, and of the fix, finds missing */
  missing?: { test: readonly string[]; fix: readonly string[] };
  /** takes one answer of `red` per commit instead of one per question */
  byCommit?: true;
}

const task = (path: string, action: string) => ({
  path,
  action,
  title: `Change ${path}`,
  description: `Change ${path}.`,
  places: [],
  edits: [],
  summary: "",
  developer: { title: `Developer of ${path}`, description: "Knows it." },
});

/** A run whose plan is a test and a fix, on a repository whose checks answer as the scene says. */
export async function proving({
  base = [GREEN],
  red = [RIGHT],
  green = [GREEN],
  settings = {},
  type = "fix",
  fix,
  missing = { test: [], fix: [] },
  byCommit,
}: Scene = {}) {
  const script = { base: [...base], red: [...red], green: [...green] };
  const asked: (Pick<Question, "ask" | "tests"> & { commit: string | undefined })[] = [];
  let state: HostState | undefined;
  const history = (): readonly string[] => {
    if (!state) return [];
    const { objects, pullRequests } = state;
    const ids: string[] = [];
    for (
      let id = pullRequests[0]?.head;
      id !== undefined && objects.commit(id).parents.length > 0;
      id = objects.commit(id).parents[0]
    )
      ids.push(id);
    return ids.reverse();
  };
  const verifier: Verifier = {
    async verify({ commit }: TriedChange, { ask, tests }) {
      asked.push({ ask, tests, commit });
      const list = script[ask];
      const at = byCommit ? Math.max(0, history().indexOf(commit ?? "")) : 0;
      const next = (byCommit || list.length === 1 ? list[Math.min(at, list.length - 1)] : list.shift()) ?? GREEN;
      const said = typeof next === "object" && "say" in next ? next.say : next;
      if (typeof next === "object" && "before" in next && state) next.before(state);
      const verdict = typeof said === "function" ? said(tests) : said;
      if (verdict.kind === "green" && commit)
        state?.checks.set(commit, [{ name: "ci", state: "passed", byApp: false, summary: "", url: "" }]);
      return verdict;
    },
  };
  let written = 0;
  const run = await resolving(
    {
      "p04-plan-work": {
        fails: true,
        at: { path: SUM, line: 1 },
        questions: [],
        notes: [],
        reason: "It subtracts.",
        order: 'run("t1");\nrun("t2");',
        agreed: "",
        title: `${type}: add`,
        tasks: [task(SUM, "modify"), task(TEST, "modify")],
      },
      "p11-review-work": ({ text }) => {
        const found = text.includes(`modify \`${TEST}\` ·`) ? missing.test : missing.fix;
        const lacks = text.includes(", round 1 of ") ? found : [];
        const rest = { comments: [], settled: [], unfollowed: [], verdict: "Looked at." };
        return { ...rest, missing: lacks, approved: lacks.length === 0 };
      },
      "p10-write-code": ({ text }) =>
        text.includes(`# The file \`${TEST}\``)
          ? `${OLD_TEST}test("adds", () => {});`
          : "export const sum = (a, b) => a + b;",
      "p09-change-file": ({ text }) => {
        const isTest = text.includes(`# The file \`${TEST}\``);
        const again = text.includes("was written and run already");
        const edits = isTest
          ? [
              {
                start: 2,
                end: again ? 2 : 1,
                anchor: "",
                text: `test("adds", () => equal(sum(1, 2), 3)); // ${++written}`,
              },
            ]
          : (fix ?? [{ start: 1, end: 1, anchor: "", text: "export const sum = (a, b) => a + b;" }]);
        const qaEngineer = { title: "QA Engineer", description: "Looks." };
        return { edits, summary: isTest ? "A test." : "It adds.", replies: [], qaEngineer };
      },
    },
    {
      settings,
      verifier,
      files: { [SUM]: "export const sum = (a, b) => a - b;\n", [TEST]: OLD_TEST },
    },
  );
  state = run.state;
  return {
    ...run,
    id: sampleRequest().id,
    questions: asked,
    pull: () => run.state.pullRequests[0],
    body: () => run.state.pullRequests[0]?.body ?? "",
    /** the first lines of the pull request's commit messages, oldest first */
    commits: () => history().map((id) => run.state.objects.commit(id).message.split("\n")[0] ?? ""),
  };
}
