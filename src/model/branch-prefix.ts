const ISSUE = "{issue}";

/**
 * What every branch of one issue begins with after the setting `branch`, and no branch of another issue: up to the mark
 * behind the number. By it the bot finds its own pull requests of an issue.
 */
export function branchPrefix(template: string, issue: number): string {
  const at = template.indexOf(ISSUE);
  return `${template.slice(0, at)}${issue}${template.charAt(at + ISSUE.length)}`;
}
