import type { TaskAction } from "../../model/plan.ts";
import type { Repository } from "../../ports/repository.ts";
import { type FileAttributes, readAttributes } from "../../search/attributes.ts";
import { classifyFile } from "../../search/classify-file.ts";
import { faultOfNewName, faultOfPath, type PathPolicy } from "./path-policy.ts";

/** Why a proposal must not become a task, in words; undefined if it may. */
export type PathGuard = (proposal: Proposal) => { readonly path: string; readonly reason: string } | undefined;

/** A guard that knows the repository's files, its .gitattributes, and what its maintainers protect. */
export async function createPathGuard(
  repository: Pick<Repository, "entries" | "readBlob">,
  policy: PathPolicy,
): Promise<PathGuard> {
  const { entries } = repository;
  const attributes = await readAttributes(entries.values(), (blob) => repository.readBlob(blob));
  return (proposal) => {
    const { path } = proposal;
    const glob = policy.protectedBy(path);
    if (glob) return { path, reason: `it is protected (\`${glob}\`)` };
    if (policy.ignored(path)) return { path, reason: "the configuration ignores it" };
    if (policy.outside(path)) return { path, reason: "only files that `files:` or `only` names may be changed" };
    const reason = refusePath(proposal, entries, attributes.of(path));
    return reason === undefined ? undefined : { path, reason };
  };
}

/** GitHub refuses them late, after all work is done, because the app does not ask for that permission. */
const WORKFLOWS = /^\.github\/workflows\//i;

/** Why GitHub would refuse any change of a path; undefined if it would not. */
export const whyNotPushed = (path: string): string | undefined =>
  WORKFLOWS.test(path) ? "the app has no permission to change workflows" : undefined;

/**
 * Why a file must not become a task, in words; undefined if it may. A model may change only files that exist and create
 * only those that do not. Left-out kinds (binary, generated, vendored, links, …) are never touched by accident.
 */
function refusePath(
  { path, action }: Proposal,
  entries: Repository["entries"],
  attributes: FileAttributes,
): string | undefined {
  const fault = faultOfPath(path) ?? (action === "create" ? faultOfNewName(path) : undefined);
  if (fault !== undefined) return fault;
  const unpushed = whyNotPushed(path);
  if (unpushed !== undefined) return unpushed;
  const entry = entries.get(path);
  if (action === "create") {
    if (entry) return "the file exists already";
    if (isFolder(path, entries)) return "this is a folder";
    if (parentIsFile(path, entries)) return "a folder of this path is a file";
  } else if (!entry) return "there is no such file";
  const { editable, reason } = classifyFile({ path, mode: entry?.mode ?? "100644", size: entry?.size, attributes });
  return editable ? undefined : `files of this kind are not edited (${reason})`;
}

const isFolder = (path: string, entries: Repository["entries"]) =>
  [...entries.keys()].some((one) => one.startsWith(`${path}/`));

function parentIsFile(path: string, entries: Repository["entries"]): boolean {
  const parts = path.split("/");
  return parts.slice(1).some((_, index) => entries.has(parts.slice(0, index + 1).join("/")));
}

/** A file that a model wants to make a task. */
export interface Proposal {
  readonly path: string;
  readonly action: TaskAction;
}
