/**
 * Hidden marks in what the bot writes on GitHub. A write that may have been made before a crash is looked up by its
 * mark before it is made again. They count only in texts of which the app itself is the author.
 */
export const markers = {
  run: (runId: string) => `<!-- magis:run ${runId} -->`,
  review: (runId: string) => `<!-- magis:review ${runId} -->`,
  comment: (commentId: string) => `<!-- magis:qa ${commentId} -->`,
  /** the answer to a command; one a comment */
  // Its text stays as it is in comments that were written before.
  command: (commentId: number) => `<!-- magis:order ${commentId} -->`,
  reply: (commentId: string) => `<!-- magis:reply ${commentId} -->`,
  /** in every comment about failing checks */
  checks: "<!-- magis:checks -->",
  /** the failing checks of this commit have been dealt with */
  checked: (commit: string) => `<!-- magis:checked ${commit} -->`,
  /** these checks fail on the base commit too, and that has been said */
  redOnBase: (id: string) => `<!-- magis:red-on-base ${id} -->`,
  /** all rounds of repair are used up, and that has been said */
  exhausted: "<!-- magis:repairs-used-up -->",
  /** in the body of a pull request that the bot has taken out of draft: it does so once */
  ready: "<!-- magis:ready -->",
  /** the bot's answer to something people said on its pull request: `thread-12`, `review-3`, `comment-45` */
  answer: (source: string) => `<!-- magis:answer ${source} -->`,
  /** what a run that ended unexpectedly has left without an answer */
  unanswered: (sources: readonly string[]) => `<!-- magis:unanswered ${sources.join(" ")} -->`,
  /** around the part of a text that is about follow-ups, and is replaced as a whole */
  followUps: { begin: "<!-- magis:follow-ups -->", end: "<!-- /magis:follow-ups -->" },
  /** the bot leaves its pull request to the person who has committed to it */
  steppedBack: (pullRequest: number) => `<!-- magis:stepped-back ${pullRequest} -->`,
} as const;
