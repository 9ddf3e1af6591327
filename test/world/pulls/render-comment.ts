import { reactionSummary } from "../issues/reaction-summary.ts";
import type { Fields, RepositoryState, ReviewComment } from "../state.ts";

/** A review comment with its present reactions. */
export function renderComment(repo: RepositoryState, comment: ReviewComment): Fields {
  return { ...comment, reactions: reactionSummary(repo, `pulls/comments/${comment.id}`, String(comment.url)) };
}
