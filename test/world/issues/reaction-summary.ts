import type { RepositoryState } from "../state.ts";

const CONTENTS = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];

/** The counts of reactions to an issue or comment. `subject` is its path below the repository. */
export function reactionSummary(repo: RepositoryState, subject: string, url: string): Record<string, string | number> {
  const mine = repo.reactions.filter((one) => one.subject === subject);
  const counts = CONTENTS.map((content) => [content, mine.filter(({ row }) => row.content === content).length]);
  return { url: `${url}/reactions`, total_count: mine.length, ...Object.fromEntries(counts) };
}
