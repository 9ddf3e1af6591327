import { markers } from "../../model/markers.ts";
import type { ReviewThread } from "../../ports/pull-request-api.ts";

/** Whether the app itself (`login`) began this thread for that QA comment. A forged mark of somebody else does not count. */
export function isThreadOf(commentId: string, { comments }: ReviewThread, login: string): boolean {
  const [first] = comments;
  return first !== undefined && first.author === login && first.body.includes(markers.comment(commentId));
}
