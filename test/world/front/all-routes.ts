import { actionRoutes } from "../checks/action-routes.ts";
import { checkRoutes } from "../checks/check-routes.ts";
import { statusRoutes } from "../checks/status-routes.ts";
import { historyRoutes } from "../git/history-routes.ts";
import { objectRoutes } from "../git/object-routes.ts";
import { refRoutes } from "../git/ref-routes.ts";
import { issueRoutes } from "../issues/issue-routes.ts";
import { reactionRoutes } from "../issues/reaction-routes.ts";
import { commentRoutes } from "../pulls/comment-routes.ts";
import { pullRoutes } from "../pulls/pull-routes.ts";
import { reviewRoutes } from "../pulls/review-routes.ts";
import type { Route } from "../state.ts";
import { repositoryRoutes } from "./repository-routes.ts";

/** Everything that the front answers itself, more special routes first; emulate answers the rest. */
export function allRoutes(): Route[] {
  return [
    ...repositoryRoutes(),
    ...reactionRoutes(),
    ...issueRoutes(),
    ...actionRoutes(),
    ...checkRoutes(),
    ...statusRoutes(),
    ...commentRoutes(),
    ...reviewRoutes(),
    ...pullRoutes(),
    ...objectRoutes(),
    ...refRoutes(),
    ...historyRoutes(),
  ];
}
