import type { RunRequest } from "../../model/run-request.ts";
import type { AskedWords } from "./find-open-comments.ts";

/** What stands behind the command on the pull request that asked for the run, if anything. */
export function askedWords({ trigger, words, actor }: RunRequest): AskedWords | undefined {
  if (trigger.kind !== "other-command") return undefined;
  const said = words ?? ("words" in trigger.command ? trigger.command.words : "");
  return said.trim() === "" ? undefined : { commentId: trigger.commentId, author: actor, words: said };
}
