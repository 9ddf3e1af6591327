/**
 * Hidden marks in what the bot writes on GitHub. A write that may have been made before a crash is looked up by its
 * mark before it is made again. They count only in texts of which the app itself is the author.
 */
export const markers = {
  run: (runId: string) => `<!-- magis:run ${runId} -->`,
  review: (runId: string) => `<!-- magis:review ${runId} -->`,
  comment: (commentId: string) => `<!-- magis:qa ${commentId} -->`,
  reply: (commentId: string) => `<!-- magis:reply ${commentId} -->`,
} as const;
