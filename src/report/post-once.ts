import type { IssueApi } from "../ports/code-host.ts";

/** Comments on an issue or pull request, unless the app's comment with that `marker`, which is part of `body`, is there. */
export async function sayOnce(
  host: Pick<IssueApi, "findOwnComment" | "createComment">,
  issue: number,
  marker: string,
  body: string,
): Promise<void> {
  if (!(await host.findOwnComment(issue, marker))) await host.createComment(issue, body);
}
