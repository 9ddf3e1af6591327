/** The webhook events the app subscribes to; `app.yml` is held to it by a test. */
export const WEBHOOK_EVENTS = ["issues.labeled", "issue_comment.created"] as const;
