/** The webhook events the app subscribes to; `app.yml` is held to it by a test. */
export const WEBHOOK_EVENTS = [
  "issues.labeled",
  "issues.unlabeled",
  "issue_comment.created",
  "pull_request_review.submitted",
  "pull_request_review_comment.created",
  "check_run.completed",
  "check_suite.completed",
  "status",
] as const;

/** Events that GitHub delivers to every app and that cannot be subscribed to: they are not in `app.yml`. */
export const REMOVAL_EVENTS = ["installation.deleted", "installation_repositories.removed"] as const;
