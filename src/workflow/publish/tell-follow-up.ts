import type { FollowUp } from "../../model/follow-up.ts";
import { markers } from "../../model/markers.ts";
import { followUpBlock } from "../../report/follow-up-block.ts";
import { replaceBlock } from "../../report/replace-block.ts";
import type { RunTools } from "../run/run-tools.ts";

/**
 * Puts a line about a run that followed up on a pull request into the pull request's body and into the tracking comment
 * of the run `root` that opened it. Done again, it replaces its own line.
 */
export async function tellFollowUp(deps: {
  readonly tools: Pick<RunTools, "host" | "earlierRun">;
  readonly root: string | undefined;
  readonly issue: number;
  readonly pullRequest: number;
  readonly followUp: FollowUp;
}): Promise<void> {
  const { tools, root, issue, pullRequest, followUp } = deps;
  const { host } = tools;
  const run = root === undefined ? undefined : tools.earlierRun(root);
  const state = await run?.state();
  const followUps = [...(state?.followUps ?? []).filter((one) => one.run !== followUp.run), followUp];
  if (run && state) await run.saveState({ ...state, followUps });
  const block = followUpBlock(followUps);
  const { body } = await host.readPullRequest(pullRequest);
  const changed = replaceBlock(body, block);
  if (changed !== body) await host.updatePullRequest(pullRequest, { body: changed });
  const comment = root === undefined ? undefined : await host.findOwnComment(issue, markers.run(root));
  if (comment) await host.updateComment(comment.id, replaceBlock(comment.body, block));
}
