import type { Standing } from "../../model/discussion.ts";

/** The standing of an author, as far as the host says who is a maintainer. */
export function standingOf(byMaintainer: boolean | undefined, isAuthor: boolean): { readonly standing?: Standing } {
  if (byMaintainer === undefined) return {};
  if (byMaintainer) return { standing: "maintainer" };
  return { standing: isAuthor ? "author" : "other" };
}
