import type { FailedCheck } from "../../model/failed-check.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import { stripHiddenText } from "../../text/strip-hidden-text.ts";
import { describeFailures } from "./describe-failures.ts";

const MAX_BODY = 12_000;

/**
 * The failing checks of a pull request as the issue that the agents resolve: what fails, and what the pull request says
 * of itself. Checks beyond those that are shown are named only.
 */
export function failuresAsIssue(
  pull: { readonly number: number; readonly title: string; readonly body: string; readonly url: string },
  checks: readonly FailedCheck[],
  unshown: readonly string[],
): IssueSnapshot {
  const body = stripHiddenText(pull.body).slice(0, MAX_BODY).trim();
  const parts = [
    "Our pull request makes checks fail that do not fail without it. They have to pass again, and what the pull request does has to be kept.",
    describeFailures(checks),
    unshown.length > 0 && `These checks fail too: ${unshown.join(", ")}`,
    `What the pull request says of itself, "${stripHiddenText(pull.title)}":`,
    body,
  ];
  return {
    number: pull.number,
    title: `Failing checks: ${[...checks.map(({ name }) => name), ...unshown].join(", ")}`,
    body: parts.filter((part) => part).join("\n\n"),
    author: "",
    url: pull.url,
    discussion: [],
    hint: "",
  };
}
