import { showFile } from "../../edits/numbered.ts";
import type { CommentAssignment, Manager } from "../../llm/agents.ts";
import type { PathGuard } from "../change/path-guard.ts";
import type { PhaseTools } from "../run/phase-runner.ts";
import type { Batch } from "./read-feedback.ts";

/** characters of files shown to the Manager, and other paths */
const MAX_SHOWN = 80_000;

const MAX_PATHS = 300;

const MAX_TEXT = 12_000;

interface AskedComment {
  readonly id: string;
  readonly author: string;
  readonly body: string;
}

/**
 * Has the Manager say what becomes of comments that name no file of their own. Tasks on files that may not be touched go
 * back once with the reason; what is left of them then is dropped, and the reply says why.
 */
export async function assignComments(deps: {
  readonly batch: Batch;
  readonly comments: readonly AskedComment[];
  readonly manager: Manager;
  readonly guard: PathGuard;
  readonly tools: Pick<PhaseTools, "host" | "repository">;
}): Promise<CommentAssignment> {
  const { batch, comments, manager, guard, tools } = deps;
  if (comments.length === 0) return { replies: [], tasks: [] };
  let told = false;
  const answer = await manager.assignComments(batch.origin.issue, await viewOf(batch, tools), comments, ({ tasks }) => {
    const refused = tasks.flatMap((task) => guard(task) ?? []);
    if (refused.length === 0 || told) return undefined;
    told = true;
    const list = refused.map(({ path, reason }) => `\`${path}\`: ${reason}`).join("; ");
    return `These files may not be changed so. ${list}. Leave their tasks out, and say in the reply that you cannot do it.`;
  });
  const refused = answer.tasks.flatMap((task) => {
    const why = guard(task);
    return why ? task.comments.map((comment) => ({ ...why, comment })) : [];
  });
  const withReason = ({ comment, reply }: CommentAssignment["replies"][number]) => {
    const reasons = refused.filter((one) => one.comment === comment).map((one) => `\`${one.path}\`: ${one.reason}.`);
    return { comment, reply: [reply, ...(reasons.length > 0 ? ["I may not do this.", ...reasons] : [])].join(" ") };
  };
  return { replies: answer.replies.map(withReason), tasks: answer.tasks.filter((task) => !guard(task)) };
}

async function viewOf(
  { pull, origin, conversation }: Batch,
  { host, repository }: Pick<PhaseTools, "host" | "repository">,
) {
  const base = origin.base ?? (await host.branchTip(pull.base));
  const changed = base === undefined ? undefined : await host.changedPaths(base, pull.head);
  const paths = (changed ?? origin.roles.map(({ path }) => path)).filter((path) => repository.entries.has(path));
  const files: { path: string; content: string }[] = [];
  let room = MAX_SHOWN;
  for (const path of paths) {
    const entry = repository.entries.get(path);
    const shown = entry && showFile(path, await repository.readBlob(entry.blob));
    if (!shown || shown.content.length > room) continue;
    room -= shown.content.length;
    files.push(shown);
  }
  const others = [...repository.entries.keys()].filter((path) => !files.some((file) => file.path === path));
  const description = `${pull.title}\n\n${pull.body}`.slice(0, MAX_TEXT);
  return { description, files, paths: others.slice(0, MAX_PATHS), conversation };
}
