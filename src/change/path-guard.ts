import type { TaskAction } from "../data/plan.ts";
import type { Repository } from "../git/repository.ts";
import { type FileAttributes, readAttributes } from "../search/attributes.ts";
import { classifyFile } from "../search/classify-file.ts";
import { faultOfNewName, faultOfPath, type PathPolicy, sameName } from "./path-policy.ts";

/** Why a proposal must not become a task, in words; undefined if it may. `among`: all that are made together. */
export type PathGuard = (proposal: Proposal, among?: readonly Proposal[]) => RefusedPath | undefined;

export interface RefusedPath {
  path: string;
  reason: string;
  /** another name for the new file would do */
  isName?: boolean;
}

/** A guard that knows the repository's files, its .gitattributes, and what its maintainers protect. */
export async function createPathGuard(repository: Repository, policy: PathPolicy): Promise<PathGuard> {
  const { entries } = repository;
  const attributes = await readAttributes(entries.values(), (blob) => repository.readBlob(blob));
  return (proposal, among = []) => {
    const { path } = proposal;
    const glob = policy.protectedBy(path);
    if (glob) return { path, reason: `it is protected (\`${glob}\`)` };
    if (policy.ignored(path)) return { path, reason: "the configuration ignores it" };
    if (policy.outside(path)) return { path, reason: "only files that `files:` or `only` names may be changed" };
    const unnamed = proposal.action === "create" ? whyNotNamed(proposal, among, entries) : undefined;
    if (unnamed !== undefined) return { path, reason: unnamed, isName: true };
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
  const fault = faultOfPath(path);
  if (fault !== undefined) return fault;
  const unpushed = whyNotPushed(path);
  if (unpushed !== undefined) return unpushed;
  const entry = entries.get(path);
  if (action !== "create" && !entry) return "there is no such file";
  const { editable, reason } = classifyFile({ path, mode: entry?.mode ?? "100644", size: entry?.size, attributes });
  return editable ? undefined : `files of this kind are not edited (${reason})`;
}

/**
 * Why a new file cannot have its name, in words; undefined if it can: another file or folder has it, or one that some
 * file system takes for the same. Files that are deleted together with it do not count; new ones before it do.
 */
function whyNotNamed(
  proposal: Proposal,
  among: readonly Proposal[],
  entries: Repository["entries"],
): string | undefined {
  const { path } = proposal;
  const fault = faultOfPath(path) ?? faultOfNewName(path);
  if (fault !== undefined) return fault;
  if (entries.has(path)) return "the file exists already";
  const gone = new Set(among.filter(({ action }) => action === "delete").map((one) => one.path));
  const at = among.indexOf(proposal);
  const earlier = (at < 0 ? among : among.slice(0, at)).filter(({ action }) => action === "create");
  const files = [...[...entries.keys()].filter((file) => !gone.has(file)), ...earlier.map((one) => one.path)];
  for (const [place, found] of likeNamed(path, files)) {
    const exact = found.find(({ name }) => name === place);
    if (exact === undefined) return clashOf(place, found[0]?.name ?? "");
    if (place === path) return exact.isFile ? "another task makes this file" : "this is a folder";
    if (exact.isFile) return "a folder of this path is a file";
  }
  return undefined;
}

const clashOf = (place: string, other: string) =>
  `some file systems take \`${place}\` for \`${other}\`, which is there: a new name must differ in more than case or the form of its letters`;

interface Named {
  name: string;
  isFile: boolean;
}

/** The files and folders that some file system takes for a path's folders and for the path itself, outermost first. */
function likeNamed(path: string, files: readonly string[]): ReadonlyMap<string, readonly Named[]> {
  const parts = path.split("/");
  const wanted = parts.map(sameName);
  const found = new Map<string, Named[]>();
  for (const file of files) {
    const there = file.split("/");
    for (let at = 0; at < wanted.length && at < there.length && sameName(there[at] as string) === wanted[at]; at++) {
      const place = parts.slice(0, at + 1).join("/");
      const named = found.get(place) ?? [];
      named.push({ name: there.slice(0, at + 1).join("/"), isFile: at === there.length - 1 });
      found.set(place, named);
    }
  }
  const byDepth = [...found].sort(([one], [other]) => one.length - other.length);
  return new Map(byDepth);
}

/** A file that a model wants to make a task. */
export interface Proposal {
  path: string;
  action: TaskAction;
}
