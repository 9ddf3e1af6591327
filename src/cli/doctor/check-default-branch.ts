import { z } from "zod";
import type { RepositoryName } from "./check-repository.ts";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const { ok, fault } = findingsOf("default branch");
const shape = z.object({
  default_branch: z.string(),
  archived: z.boolean().default(false),
  has_issues: z.boolean().default(true),
});

export interface BranchExamined {
  readonly findings: readonly Finding[];
  /** the default branch's name, where it can be read */
  readonly branch?: string;
}

/** Whether the branch that changes start from can be read, and the repository takes changes and issues at all. */
export async function checkDefaultBranch(api: Api, { owner, name }: RepositoryName): Promise<BranchExamined> {
  const reply = await api.get(`/repos/${owner}/${name}`);
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) return { findings: [fault(`GitHub ${replyText(reply)}.`)] };
  const branch = data.default_branch;
  const tip = await api.get(`/repos/${owner}/${name}/git/ref/heads/${encodeURI(branch)}`);
  const faults = [
    ...(data.archived ? [fault("The repository is archived: nothing can be changed.", "Unarchive it.")] : []),
    ...(data.has_issues ? [] : [fault("Issues are turned off.", "Turn them on in the repository's settings.")]),
  ];
  if ("status" in tip && tip.status === 200) {
    return { findings: faults.length > 0 ? faults : [ok(`${branch} can be read.`)], branch };
  }
  const empty = "status" in tip && (tip.status === 409 || tip.status === 404);
  const unread = empty
    ? fault(`${branch} is not there: the repository is empty.`, "Push a first commit.")
    : fault(`${branch} cannot be read: GitHub ${replyText(tip)}.`, "Grant the permission contents: write.");
  return { findings: [...faults, unread] };
}
