import { showFile } from "../../edits/show-file.ts";
import type { Manager, RemarkAssignment } from "../../llm/manager.ts";
import type { PathGuard } from "../change/create-path-guard.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";
import type { Batch } from "./read-feedback.ts";

/** characters of files shown to the Manager, and other paths */
const MAX_SHOWN = 80_000;
const MAX_PATHS = 300;
const MAX_WORDS = 12_000;

interface Remark {
  readonly id: string;
  readonly author: string;
  readonly body: string;
}

/**
 * Has the Manager say what becomes of remarks that name no file of their own. Tasks on files that may not be touched go
 * back once with the reason; what is left of them then is dropped, and the reply says why.
 */
export async function assignRemarks(deps: {
  readonly batch: Batch;
  readonly remarks: readonly Remark[];
  readonly manager: Manager;
  readonly guard: PathGuard;
  readonly tools: Pick<PhaseTools, "host" | "repository">;
}): Promise<RemarkAssignment> {
  const { batch, remarks, manager, guard, tools } = deps;
  if (remarks.length === 0) return { replies: [], tasks: [] };
  let told = false;
  const answer = await manager.assignRemarks(batch.origin.issue, await viewOf(batch, tools), remarks, ({ tasks }) => {
    const refused = tasks.flatMap((task) => guard(task) ?? []);
    if (refused.length === 0 || told) return undefined;
    told = true;
    const list = refused.map(({ path, reason }) => `\`${path}\`: ${reason}`).join("; ");
    return `These files may not be changed so. ${list}. Leave their tasks out, and say in the reply that you cannot do it.`;
  });
  const refused = answer.tasks.flatMap((task) => {
    const why = guard(task);
    return why ? task.remarks.map((remark) => ({ ...why, remark })) : [];
  });
  const withReason = ({ remark, reply }: RemarkAssignment["replies"][number]) => {
    const reasons = refused.filter((one) => one.remark === remark).map((one) => `\`${one.path}\`: ${one.reason}.`);
    return { remark, reply: [reply, ...(reasons.length > 0 ? ["I may not do this.", ...reasons] : [])].join(" ") };
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
  const words = `${pull.title}\n\n${pull.body}`.slice(0, MAX_WORDS);
  return { words, files, paths: others.slice(0, MAX_PATHS), conversation };
}
