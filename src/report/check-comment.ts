import { markers, repairMark } from "../data/marks.ts";
import { formatSpend, type Spend } from "../data/spend.ts";
import type { LostTests, NoVerdictReason } from "../data/verdict.ts";
import type { TaskOutcome } from "../data/work.ts";
import { codeSpan, plain, prose, quoted } from "../text/compose-markdown.ts";
import { beginning, counted, figure } from "../text/counted.ts";

/** The checks that all comments on failing checks name. */
export interface CheckNames {
  /** the commit whose checks failed */
  head: string;
  /** names of the checks that are the change's own failures */
  ours: readonly string[];
  /** of these, the ones that did not run on the base commit */
  unknown: readonly string[];
  /** names of the checks that are red on the base commit too */
  theirs: readonly string[];
  /** identifies `theirs` */
  theirsId: string;
}

/** A check left alone, with the reason as the end of a sentence. */
export interface UnsteadyCheck {
  name: string;
  why: string;
}

interface Repaired extends CheckNames {
  commit: string;
  title: string;
  outcomes: readonly TaskOutcome[];
  /** why the tasks repair the checks, in the Manager's words */
  reason: string;
  round: number;
  rounds: number;
  spend: Spend;
}

/** The comments on a pull request about its failing checks. Each has marks, by which the bot finds it again. */
export const checkComment = {
  /** A commit repairs them, as far as the agents know. */
  repaired(done: Repaired): string {
    const changed = done.outcomes.map(
      ({ path, summary, status }) => `- ${codeSpan(path)}${STATUS[status]}: ${plain(summary)}`,
    );
    return text(done, [repairMark(done.commit, done.title)], "### Failing checks: a new commit repairs them", [
      whatFailed(done),
      `**What was wrong:** ${prose(done.reason)}`,
      `**What changed** in ${done.commit}:\n\n${changed.join("\n")}`,
      "The checks of the new commit will show whether it is right: MAGIS itself runs no code.",
      baseToo(done),
      `<sub>Repair ${done.round} of at most ${done.rounds} on this pull request. Cost: ${formatSpend(done.spend)}.</sub>`,
    ]);
  },

  /** The agents found or made no change that repairs them. */
  notRepaired(failing: CheckNames, reason: string, spend: Spend): string {
    return text(failing, [], "### Failing checks: not repaired", [
      whatFailed(failing),
      `Nothing was changed. The agents' reason:\n\n${quoted(reason)}`,
      baseToo(failing),
      `<sub>Cost: ${formatSpend(spend)}.</sub>`,
    ]);
  },

  /** All of them are red without the change, too. */
  redOnBase(failing: CheckNames): string {
    return text(failing, [], "### Failing checks: not caused by this change", [
      baseToo(failing),
      "I leave them as they are. Nothing was spent.",
    ]);
  },

  /** They fail for another reason than the change, as far as we know. */
  unsteady(failing: CheckNames, checks: readonly UnsteadyCheck[]): string {
    const rows = checks.map(({ name, why }) => `- ${plain(name)}: ${plain(why)}`);
    return text(failing, [], "### Failing checks: probably not caused by this change", [
      `**What failed** on ${failing.head}, and why I leave it:\n\n${rows.join("\n")}`,
      "Please run them again, or say in a review comment what to do.",
      baseToo(failing),
    ]);
  },

  /** Tests that ran before no longer run. */
  lostTests(head: string, lost: readonly LostTests[]): string {
    return [
      markers.lostTests(head),
      "### Tests that do not run any more",
      `By the checks of ${head} and of the commit that this pull request begins from: ${plain(lostSentence(lost))}`,
      "If that is meant, take this pull request out of draft yourself; if it is not, say so in a review comment.",
    ].join("\n\n");
  },

  /** The bot may not start workflows here. */
  notAllowed(head: string, names: readonly string[]): string {
    return [
      markers.checked(head),
      "### Checks that were not allowed to run",
      `On ${head}: ${names.map(plain).join(", ")}. This is no fault of the change, so I repair nothing. This app is not allowed to trigger Actions workflows here: an administrator can allow it in the settings of the repository or the organisation, under Actions.`,
    ].join("\n\n");
  },

  /** The bot tries no further repair. `tried`: the repairs' commits and titles. */
  exhausted(failing: CheckNames, tried: readonly { commit: string; title: string }[]): string {
    const list = tried.map(({ commit, title }) => `- ${commit}: ${plain(title)}`);
    return text(failing, [markers.exhausted], "### Failing checks: I could not repair them", [
      whatFailed(failing),
      `${beginning(counted(tried.length, "commit"))} ${tried.length === 1 ? "has" : "have"} tried, which is the limit for a pull request:\n\n${list.join("\n")}`,
      "I will not try again by myself. A review comment that says what to do is welcome.",
      baseToo(failing),
    ]);
  },

  /** Posted once: a proof needs checks, and they wait for a person, or none started. */
  missing(pullRequest: number, reason: NoVerdictReason, stage: "red" | "green"): string {
    const what = MISSING[reason] ?? "No check has run on this commit so far.";
    const so = stage === "red" ? "So I publish the fix without a proof" : "So the fix is not proved";
    return `${markers.checksMissing(pullRequest)}\n${what} ${so}, and I leave the pull request a draft.`;
  },
} as const;

/** The tests that ran before and no longer run, in a sentence of plain text. */
export function lostSentence(lost: readonly LostTests[]): string {
  const sentences = lost.map(({ check, before, now, names }) => {
    const which = names.length === 0 ? "" : ` Missing: ${names.map((name) => `"${name}"`).join(", ")}.`;
    return `in "${check}", ${figure(before, "test")} ran before, and ${now} now.${which}`;
  });
  return sentences.join(" Also ");
}

const MISSING: Partial<Record<NoVerdictReason, string>> = {
  missing: "A check that passed on the base has not run on this commit so far.",
  waiting: "The checks of this commit wait for somebody to approve them.",
  "not-allowed":
    "The checks of this commit did not start: this app is not allowed to trigger Actions workflows here. An administrator can allow it in the settings of the repository or the organisation, under Actions.",
};

const STATUS = {
  approved: "",
  mended: "",
  open: "",
  unchanged: " (not changed)",
  failed: " (**missing**: no usable change was made)",
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
  return `These fail on ${head}, and on the commit this pull request starts from too:\n\n${names}`;
}
