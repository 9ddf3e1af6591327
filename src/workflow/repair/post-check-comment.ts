import { isMagisError } from "../../model/magis-error.ts";
import { markers } from "../../model/markers.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";

/**
 * Posts a comment about failing checks, unless the app's own comment with `marker` is there, and folds away as outdated
 * the one that it takes the place of.
 */
export async function postCheckComment(deps: {
  readonly host: Pick<CodeHost, "login" | "listComments" | "createComment" | "minimiseComment">;
  readonly pullRequest: number;
  readonly marker: string;
  readonly body: string;
  readonly log: Log;
}): Promise<void> {
  const { host, pullRequest, marker, body, log } = deps;
  const comments = await host.listComments(pullRequest);
  const own = comments.filter((one) => one.author === host.login && one.body.includes(markers.checks));
  const at = own.findIndex((one) => one.body.includes(marker));
  if (at < 0) await host.createComment(pullRequest, body);
  const outdated = at < 0 ? own.at(-1) : own[at - 1];
  if (!outdated) return;
  try {
    await host.minimiseComment(outdated.nodeId);
  } catch (error) {
    if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND")) throw error;
    log.warn({ error, comment: outdated.id }, "an outdated comment could not be folded away");
  }
}
