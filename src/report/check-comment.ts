import { markers, repairMark } from "../model/marks.ts";
import { formatSpend, type Spend } from "../model/spend.ts";
import type { TaskOutcome } from "../model/work.ts";
import { codeSpan, plain, prose } from "../text/compose-markdown.ts";

/** What the comments on failing checks have in common. */
export interface CheckNames {
  /** the commit whose checks failed */
  readonly head: string;
  /** names of the checks that are the change's own failures */
  readonly ours: readonly string[];
  /** of these, the ones that did not run on the base commit */
  readonly unknown: readonly string[];
  /** names of the checks that are red on the base commit too */
  readonly theirs: readonly string[];
  /** identifies `theirs` */
  readonly theirsId: string;
}

/** A check that is left as it is, with the reason, the rest of a sentence. */
export interface UnsteadyCheck {
  readonly name: string;
  readonly why: string;
}

interface Repaired extends CheckNames {
  readonly commit: string;
  readonly title: string;
  readonly outcomes: readonly TaskOutcome[];
  /** why the tasks repair it, in the Manager's words */
  readonly reason: string;
  readonly round: number;
  readonly rounds: number;
  readonly spend: Spend;
}

/** The comments on the pull request about its failing checks. Each carries the marks by which it is found again. */
export const checkComment = {
  /** A commit repairs them, as far as the agents can tell. */
  repaired(done: Repaired): string {
    const changed = done.outcomes.map(
      ({ path, summary, status }) => `- ${codeSpan(path)}${STATUS[status]}: ${plain(summary)}`,
    );
    return text(done, [repairMark(done.commit, done.title)], "### Failing checks: repaired in a new commit", [
      whatFailed(done),
      `**What was wrong:** ${prose(done.reason)}`,
      `**What was done,** in ${done.commit}:\n\n${changed.join("\n")}`,
      "No test was run here: the checks of the new commit will tell whether it is right.",
      baseToo(done),
      `<sub>Repair ${done.round} of at most ${done.rounds} in this pull request. Cost: ${formatSpend(done.spend)}.</sub>`,
    ]);
  },

  /** The agents see no change that would repair them, or made none. */
  notRepaired(failing: CheckNames, reason: string, spend: Spend): string {
    return text(failing, [], "### Failing checks: not repaired", [
      whatFailed(failing),
      `Nothing was changed. Why, in the agents' words:\n\n${quoted(reason)}`,
      baseToo(failing),
      `<sub>Cost: ${formatSpend(spend)}.</sub>`,
    ]);
  },

  /** All of them are red without the change as well. */
  redOnBase(failing: CheckNames): string {
    return text(failing, [], "### Failing checks: not from this change", [
      baseToo(failing),
      "So I leave them as they are; nothing was spent.",
    ]);
  },

  /** They fail for another reason than the change, as far as can be told. */
  unsteady(failing: CheckNames, checks: readonly UnsteadyCheck[]): string {
    const rows = checks.map(({ name, why }) => `- ${plain(name)}: ${plain(why)}`);
    return text(failing, [], "### Failing checks: not repaired, they do not look like this change's", [
      `**What failed** on ${failing.head}, and why I leave it:\n\n${rows.join("\n")}`,
      "Run them again, or say in a review comment what to do: that is worked on as any other.",
      baseToo(failing),
    ]);
  },

  /** No further repair is tried. `tried` are the commits of the repairs with their titles. */
  exhausted(failing: CheckNames, tried: readonly { readonly commit: string; readonly title: string }[]): string {
    const list = tried.map(({ commit, title }) => `- ${commit}: ${plain(title)}`);
    return text(failing, [markers.exhausted], "### Failing checks: I could not repair them", [
      whatFailed(failing),
      `${tried.length === 1 ? "One commit" : `${tried.length} commits`} tried to repair the checks, which is the most for a pull request:\n\n${list.join("\n")}`,
      "I try nothing more by myself. The checks' own pages have the whole logs; a review comment that says what to do is worked on as any other.",
      baseToo(failing),
    ]);
  },
} as const;

const STATUS = {
  approved: "",
  open: " (QA comments are open)",
  unchanged: " (not changed)",
  failed: " (**failed**, not changed)",
} as const;

function text(failing: CheckNames, marks: readonly string[], title: string, parts: readonly string[]): string {
  const own = [markers.checks, markers.checked(failing.head), ...marks];
  if (failing.theirs.length > 0) own.push(markers.redOnBase(failing.theirsId));
  return [own.join("\n"), title, ...parts].filter((part) => part !== "").join("\n\n");
}

function whatFailed({ head, ours, unknown }: CheckNames): string {
  const rows = ours.map(
    (name) => `- ${plain(name)}${unknown.includes(name) ? " (did not run on the base commit)" : ""}`,
  );
  return `**What failed** on ${head}:\n\n${rows.join("\n")}`;
}

function baseToo({ theirs, head }: CheckNames): string {
  if (theirs.length === 0) return "";
  const names = theirs.map((name) => `- ${plain(name)}`).join("\n");
  return `Red on ${head}, and on the commit that this pull request begins from as well:\n\n${names}`;
}

const quoted = (text: string) =>
  prose(text)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
