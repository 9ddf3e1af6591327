import { likenessOf } from "./like-texts.ts";
import type { IssueText } from "./ranking-types.ts";

/** For files that the most similar past commit changed; those of others get less. The best text score is 1. */
const PAST_WEIGHT = 0.5;

/** For files that all of the most similar commits (`VOTERS` of them) changed. */
const VOTE_WEIGHT = 0.4;

const VOTERS = 10;

/** For the file changed most often lately; others get less. */
const RECENT_WEIGHT = 0.35;

/** After so many later commits, a change counts for about a third. */
const RECENT_COMMITS = 60;

/** A commit that changes more of the files says little about each. */
const MAX_PAST_SOURCES = 12;

export interface PastCommit {
  readonly commit: string;
  readonly message: string;
  readonly paths: readonly string[];
}

interface Bonus {
  readonly score: number;
  readonly reason: string;
}

/** The bonuses from one kind of evidence, by path. */
export type Bonuses = ReadonlyMap<string, Bonus>;

/**
 * What past commits say about the files that are `present`: those that the most similar commits changed, those that
 * several of these have in common, and those changed often lately. Takes any message; no history gives no bonus.
 */
export async function pastEvidence(
  issue: IssueText,
  history: readonly PastCommit[],
  present: ReadonlySet<string>,
): Promise<readonly Bonuses[]> {
  const past = changesOf(history, present);
  const likest = likestOf(past, await likenessTo(issue, history));
  return [likestBonuses(likest), voteBonuses(likest), recentBonuses(past)];
}

/** Keeps the highest bonus for each path. */
export function mostOf(give: (put: (path: string, score: number, reason: string) => void) => void): Bonuses {
  const bonuses = new Map<string, Bonus>();
  give((path, score, reason) => {
    if ((bonuses.get(path)?.score ?? 0) < score) bonuses.set(path, { score, reason });
  });
  return bonuses;
}

/** A commit, its place in the history, and those of its files that are present. */
interface Change {
  readonly commit: string;
  readonly at: number;
  readonly paths: readonly string[];
}

function changesOf(history: readonly PastCommit[], present: ReadonlySet<string>): readonly Change[] {
  return history.flatMap(({ commit, paths }, at) => {
    const changed = paths.filter((path) => present.has(path));
    return changed.length > 0 && changed.length <= MAX_PAST_SOURCES ? [{ commit, at, paths: changed }] : [];
  });
}

interface LikeChange extends Change {
  readonly likeness: number;
}

/** Commits that share a word with the issue, the most similar first. */
function likestOf(past: readonly Change[], likeness: readonly number[]): readonly LikeChange[] {
  return past
    .map((change) => ({ ...change, likeness: likeness[change.at] ?? 0 }))
    .filter((change) => change.likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || a.at - b.at);
}

function likestBonuses(likest: readonly LikeChange[]): Bonuses {
  const scoreOf = ({ likeness, paths }: LikeChange) => likeness / Math.sqrt(paths.length);
  const best = likest.reduce((most, change) => Math.max(most, scoreOf(change)), 0);
  return mostOf((put) => {
    for (const change of likest) {
      const reason = `changed in ${change.commit.slice(0, 9)}, whose message has words of the issue`;
      for (const path of change.paths) put(path, (PAST_WEIGHT * scoreOf(change)) / best, reason);
    }
  });
}

/** For what the most similar commits have in common. */
function voteBonuses(likest: readonly LikeChange[]): Bonuses {
  const voters = likest.slice(0, VOTERS);
  const all = voters.reduce((sum, { likeness }) => sum + likeness, 0);
  const votes = sumByPath(voters, ({ likeness }) => likeness / all);
  return mostOf((put) => {
    for (const [path, share] of votes) put(path, VOTE_WEIGHT * share, "changed in commits like the issue");
  });
}

function recentBonuses(past: readonly Change[]): Bonuses {
  const changes = sumByPath(past, ({ at, paths }) => Math.exp(-at / RECENT_COMMITS) / Math.sqrt(paths.length));
  const most = Math.max(0, ...changes.values());
  return mostOf((put) => {
    for (const [path, sum] of changes) put(path, RECENT_WEIGHT * Math.sqrt(sum / most), "changed of late");
  });
}

function sumByPath<T extends Change>(changes: readonly T[], worth: (change: T) => number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const change of changes)
    for (const path of new Set(change.paths)) sums.set(path, (sums.get(path) ?? 0) + worth(change));
  return sums;
}

/** How similar each message is to the issue; see `likenessOf`. */
export function likenessTo(issue: IssueText, history: readonly PastCommit[]): Promise<readonly number[]> {
  const texts = history.map(({ message }) => {
    const [title = "", ...body] = message.split("\n");
    return { title, body: body.join("\n") };
  });
  return likenessOf(texts, issue);
}
