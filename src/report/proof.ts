import { markers } from "../data/marks.ts";
import type { Left } from "../data/run-state.ts";
import { formatTime } from "../data/spend.ts";
import { type FailedTest, type ProofVerdict, REASON_WORDS, type VerifiedCheck } from "../data/verdict.ts";
import { codeSpan, paragraphs, plain, webLink } from "../text/compose-markdown.ts";
import { beginning } from "../text/counted.ts";
import { lostSentence } from "./check-comment.ts";

/** How a change was tested: why it was not, what we wait for, or what the checks or a command showed. */
export type ProofState =
  /**
   * `keep`: it stays a draft; `failing`: the checks ran with the fix and are red; `ran`: the checks ran but prove
   * nothing
   */
  | { unproved: string; keep: boolean; failing?: boolean; ran?: boolean }
  | { waiting: "red" | "green" }
  | {
      red: ProofCommit;
      green: ProofCommit;
      tests: readonly ProvedTest[];
      note: string;
    };

type ProvedTest = Pick<FailedTest, "name" | "check" | "words">;

/** A commit of a proof with its checks. */
interface ProofCommit {
  commit: string;
  checks: readonly (Pick<VerifiedCheck, "name" | "url" | "seconds"> & { excused?: boolean })[];
}

/** The result of a check command that MAGIS ran itself. */
export interface CheckedChange {
  /** in a sentence */
  said: string;
  passed: boolean;
  /** another job says so, and whoever publishes the change cannot vouch for it */
  elsewhere?: boolean;
}

/**
 * The section on how a change was tested, or why it was not, between marks for replacing it. `checked`: the result of a
 * command that ran here.
 */
export function proofBlock(state: ProofState, checked?: CheckedChange): string {
  const { begin, end } = markers.proof;
  return `${begin}${markOf(state)}\n${testedSection(state, checked)}\n${end}`;
}

const UNTESTED = "Not tested";

const RUNS_NOTHING = "MAGIS itself runs no code.";

function markOf(state: ProofState): string {
  if ("waiting" in state) return markers.proving;
  return "unproved" in state && state.keep ? markers.unproved : "";
}

function testedSection(state: ProofState, checked: CheckedChange | undefined): string {
  if (checked && !("red" in state)) {
    const heading = checked.passed && !checked.elsewhere ? "Tested" : "Not tested";
    const yours = checked.elsewhere ? "Your" : "MAGIS ran this command itself; your";
    return `## ${heading}\n\n${plain(checked.said)} ${yours} checks run on the pull request as usual.`;
  }
  if ("unproved" in state) {
    const heading = headingOf(state);
    const runsNothing = heading === UNTESTED ? ` ${RUNS_NOTHING}` : "";
    return `## ${heading}\n\n${beginning(plain(state.unproved))}${runsNothing}`;
  }
  if ("waiting" in state) return `## Being tested\n\n${WAITING[state.waiting]}`;
  return `## Tested\n\n${provedText(state)}`;
}

const WAITING = {
  red: "This commit holds the new test alone, which must fail first. The fix follows once its checks have ended.",
  green: "The test failed without the fix, as it should. The checks are now running with the fix.",
} as const;

/** The outcome in a sentence, for the comment on the issue. */
export function testedSentence(state: ProofState): string {
  if ("waiting" in state) return WAITING[state.waiting];
  if ("red" in state) return "Tested: its test failed without the fix and passes with it, in the repository's checks.";
  return `${headingOf(state)}: ${state.unproved}`;
}

/** Never says that nothing ran when checks did. */
function headingOf({ failing, ran }: Extract<ProofState, { unproved: string }>): string {
  if (failing) return "Tested, and failing";
  return ran ? "Not proved" : UNTESTED;
}

/** Replaces a body's block about the proof. A body whose marks a person has removed stays as it is. */
export function replaceProof(body: string, block: string): string {
  const { begin, end } = markers.proof;
  const [from, to] = [body.indexOf(begin), body.indexOf(end)];
  return from < 0 || to < from ? body : body.slice(0, from) + block + body.slice(to + end.length);
}

/** Whether green checks of its head change something about a pull request: it is a draft, or says that nothing ran. */
export const awaitsGreen = ({ draft, body }: { draft: boolean; body: string }): boolean =>
  draft || saysNothingRan(body);

function saysNothingRan(body: string): boolean {
  const { begin, end } = markers.proof;
  const block = body.slice(body.indexOf(begin), Math.max(0, body.indexOf(end)));
  return block.includes("\n## Not tested\n") && block.includes(RUNS_NOTHING);
}

/** Corrects a body that says that nothing was tested, once all checks of `head` are green. */
export function checkedSince(body: string, head: string): string {
  if (!saysNothingRan(body)) return body;
  const unproved = `the checks passed on ${head.slice(0, 10)}, but no test was seen to fail without this change.`;
  return replaceProof(body, proofBlock({ unproved, keep: false, ran: true }));
}

/** One row per test: where it was red, and where green. */
function provedText({ red, green, tests, note }: Extract<ProofState, { red: unknown }>): string {
  const excused = red.checks.filter(({ excused: is }) => is).map(({ name }) => plain(name));
  const seconds = [...red.checks, ...green.checks].reduce((sum, check) => sum + (check.seconds ?? 0), 0);
  return paragraphs(
    [
      `| test | without the fix, ${red.commit.slice(0, 10)} | with the fix, ${green.commit.slice(0, 10)} |`,
      "| --- | --- | --- |",
      ...tests.slice(0, MAX_PROVED).map((test) => provedRow(test, red, green)),
    ].join("\n"),
    tests.length > MAX_PROVED && `And ${tests.length - MAX_PROVED} more.`,
    excused.length > 0 && `Also red without the fix, which says nothing against it: ${excused.join(", ")}.`,
    note && plain(note),
    [
      "Your own checks ran these.",
      seconds > 0 && `They took ${formatTime(seconds * 1000)} in all.`,
      "Squash when you merge: the commit with the test alone is red on purpose.",
    ]
      .filter((part) => part)
      .join(" "),
  );
}

const MAX_PROVED = 10;

const MAX_LINES = 3;

const MAX_WORDS = 160;

function provedRow({ name, check, words }: ProvedTest, red: ProofCommit, green: ProofCommit): string {
  const linked = ({ checks }: ProofCommit) => webLink(check, checks.find((one) => one.name === check)?.url ?? "");
  const said = cell(words.split("\n").slice(0, MAX_LINES).join(" "));
  return `| ${cell(name)} | **red** in ${linked(red)}${said === "" ? "" : `: ${said}`} | green in ${linked(green)} |`;
}

/** Log text as code for a table cell; "" for empty text. */
function cell(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().replaceAll("|", "¦");
  const short = line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).replace(/[\ud800-\udbff]$/, "")}…` : line;
  return short === "" ? "" : codeSpan(short);
}

/** Whether any check finished. */
export const ranAny = ({ checks }: ProofVerdict): boolean =>
  checks.some(({ state }) => state === "passed" || state === "failed");

/** Follows a complete sentence. */
const lostIn = ({ lost = [] }: ProofVerdict) => (lost.length === 0 ? "" : ` ${beginning(lostSentence(lost))}`);

/**
 * Why a change was not tested: the rest of a sentence that begins with "Not tested:", or "Not proved:" if checks ran.
 */
export const untested = {
  beforehand: "no check had run on this change when it was published.",
  off: "it is configured not to wait for the checks (`proof: off`).",
  noWait: "this run does not wait for the repository's checks.",
  paper: "in the profile `paper`, whether it is a bug fix is only known once the work is done.",
  noFix: "it is not a bug fix, so no test of it can fail first.",
  noTest: "the fix has no test of its own.",
  onlyTests: "only tests are changed.",
  unusable: "no usable test was written.",
  noChecks: "this repository has no checks.",
  noneRan: (branch: string) =>
    `no check ran on the commit of ${branch} that it starts from, or GitHub has deleted them, as it does after 90 days by default.`,
  redBase: (check: string) => `the commit it starts from is already red, in "${check}".`,
  unclearBase: "the checks of the commit it starts from gave no clear result.",
  moved: (branch: string) =>
    `these files changed on ${branch} while the checks ran, so the test was not seen to fail and to pass on the same code. To start again, close this and comment \`/magis resolve\` on the issue.`,
  ended: "the run ended before the checks had. The comment on the issue says how.",

  /** A person took the pull request over before the fix was pushed (`red`), or before its checks ended (`green`). */
  left(how: Left, stage: "red" | "green"): string {
    const when = stage === "red" ? "before the fix was pushed" : "before its checks had ended";
    if (how === "pushed") return `a person committed to its branch ${when}, so I leave it as it is.`;
    return `the pull request was ${how} ${when}.`;
  },

  /** The same in the body of a pull request without the fix. */
  withheld: (how: Left) => `${untested.left(how, "red")} My comment on the issue says where the fix is.`,

  /** The checks' verdict on the test alone (`red`) or with the fix (`green`), when it proves nothing. */
  verdict(verdict: ProofVerdict, stage: "red" | "green"): string {
    const alone = stage === "red" ? "with the test alone" : "with the fix";
    switch (verdict.kind) {
      case "no-verdict":
        return `${alone}, the checks ${ranAny(verdict) ? "prove nothing" : "gave no result"}: ${REASON_WORDS[verdict.reason]}.${lostIn(verdict)}`;
      case "not-red":
        return "its test passes without the fix too, so it does not show the fault. Is the fault still there, and how can it be reproduced?";
      case "other-red":
        return `${alone}, "${verdict.check}" fails${stage === "red" ? " for another reason than the fault" : ""}: ${REASON_WORDS[verdict.reason]}.`;
      default:
        return "its test still fails with the fix.";
    }
  },
} as const;
