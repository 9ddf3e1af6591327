import type { Left } from "../data/run-state.ts";
import { type ProofVerdict, REASON_WORDS } from "../data/verdict.ts";
import { beginning } from "../text/counted.ts";
import { lostSentence } from "./check-comment.ts";

/** Whether any check finished. */
export const ranAny = ({ checks }: ProofVerdict): boolean =>
  checks.some(({ state }) => state === "passed" || state === "failed");

/** Follows a complete sentence. */
function lostIn({ lost = [] }: ProofVerdict): string {
  if (lost.length === 0) return "";
  const sentence = lostSentence(lost);
  return ` ${beginning(sentence)}`;
}

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
