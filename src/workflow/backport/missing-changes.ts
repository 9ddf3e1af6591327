import type { CodeHost } from "../../ports/code-host.ts";
import type { PastCommit, Repository } from "../../ports/repository.ts";
import type { MissingChange } from "../../report/backport.ts";

const MAX_NAMED = 5;

/**
 * Earlier changes of these files, on the branch that the pull request was merged into, that the other branch lacks: a
 * usual cause of conflicts. Of each history its latest commits count; one that was brought over before is known by its
 * title or by the commit that it names.
 */
export async function missingChanges(
  paths: readonly string[],
  {
    before,
    target,
  }: { readonly before: Pick<Repository, "history">; readonly target: Pick<Repository, "history" | "commit"> },
  host: Pick<CodeHost, "isAncestor" | "pullsOf">,
): Promise<readonly MissingChange[]> {
  const there = await target.history();
  const ids = new Set(there.map(({ commit }) => commit));
  const touching = (await before.history()).filter((one) => one.paths.some((path) => paths.includes(path)));
  const found: MissingChange[] = [];
  for (const one of touching) {
    if (found.length === MAX_NAMED) break;
    if (ids.has(one.commit) || there.some((other) => isBroughtOver(one, other))) continue;
    if (await host.isAncestor(one.commit, target.commit)) continue;
    const title = titleOf(one);
    const number = numberIn(title) ?? (await host.pullsOf(one.commit))[0];
    if (number === undefined || !found.some((known) => known.number === number))
      found.push({ number, commit: one.commit, title });
  }
  return found;
}

const titleOf = ({ message }: PastCommit) => message.split("\n")[0] ?? "";

/** `fix: round (#12)`, as a squash writes it */
function numberIn(title: string): number | undefined {
  const number = /\(#(\d{1,9})\)\s*$/.exec(title)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Without what a backport adds to a title. */
const bare = (title: string) => title.replace(/^\[[^\]]*\]\s*/, "").replace(/(?:\s*\(#\d+\))+\s*$/, "");

function isBroughtOver(one: PastCommit, other: PastCommit): boolean {
  return other.message.includes(one.commit) || bare(titleOf(other)) === bare(titleOf(one));
}
