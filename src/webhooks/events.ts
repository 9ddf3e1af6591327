/** The webhook events the app subscribes to; `app.yml` is held to it by a test. */
export const WEBHOOK_EVENTS = ["issues.labeled", "issue_comment.created"] as const;

/** Events that GitHub delivers to every app and that cannot be subscribed to: they are not in `app.yml`. */
export const REMOVAL_EVENTS = ["installation.deleted", "installation_repositories.removed"] as const;
