import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { HostComment } from "../../ports/issue-api.ts";

type Comment = RestEndpointMethodTypes["issues"]["getComment"]["response"]["data"];

/** GitHub's issue comment in the port's terms; whoever has left GitHub is "ghost", as on its pages. */
export function toHostComment(comment: Comment): HostComment {
  return {
    id: comment.id,
    nodeId: comment.node_id,
    author: comment.user?.login ?? "ghost",
    byBot: comment.user?.type === "Bot",
    body: comment.body ?? "",
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
  };
}
