import { slug } from "../text/slug.ts";

/** The branch of an issue's change, `magis/issue-12-parse-headers`; always a valid ref name. */
export function branchName(issueNumber: number, title: string): string {
  return `magis/issue-${issueNumber}-${slug(title)}`;
}
