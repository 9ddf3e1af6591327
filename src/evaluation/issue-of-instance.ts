import type { IssueSnapshot } from "../model/issue-snapshot.ts";
import type { Instance } from "./instance.ts";

const MAX_TITLE_LENGTH = 256;

/** An instance's issue: the first line of its text is the title; its hints are the discussion, unless they are left out. */
export function issueOfInstance({ problem, hints, repository }: Instance, withHints: boolean): IssueSnapshot {
  const [first = "", ...rest] = problem.trim().split("\n");
  const title = first.replace(/^#+\s*/, "").trim();
  const discussion = withHints && hints.trim() !== "" ? [{ author: "contributor", body: hints.trim() }] : [];
  return {
    ...{
      number: 0,
      title: title.slice(0, MAX_TITLE_LENGTH),
      author: "reporter",
      url: `https://github.com/${repository}`,
    },
    body: title.length > MAX_TITLE_LENGTH ? problem.trim() : rest.join("\n").trim(),
    ...{ discussion, hint: "" },
  };
}
