import { isNameOfBot, ownMarks } from "../../data/marks.ts";
import type { HostComment, HostReview, ReviewThread } from "../../github/code-host.ts";

/** Everything that was said on a pull request. */
export interface Said {
  threads: readonly ReviewThread[];
  reviews: readonly HostReview[];
  comments: readonly HostComment[];
}

/** Who said something, and about which commit; a comment that is about none has no commit. */
export interface Voice {
  author: string;
  byBot: boolean;
  commit?: string | undefined;
  /** of a comment in a thread */
  id?: number;
}

/** Whose words agents are shown, and whose are still to be answered. */
export interface Voices {
  heard(voice: Voice): boolean;
  answered(voice: Voice): boolean;
  /** logins of bots that had all their rounds, and have said more */
  exhausted: readonly string[];
}

/** Commits about which one bot's words are answered: a bot that reviews every push would never stop. */
const MAX_ROUNDS = 3;

/**
 * People who `mayWrite`, and the bots that the settings allow. A bot gets one round for each commit, and `MAX_ROUNDS`
 * on a pull request: its words about a commit are answered together, and what it says to the answers is not. Threads
 * that were there before the first answer, and were too many for one run, are left to the next. `asked`: a person asks
 * for more.
 */
export function voicesOf(
  said: Said,
  login: string,
  who: {
    mayWrite: (author: string) => boolean;
    allowedBots: readonly string[];
    asked: boolean;
  },
): Voices {
  const heard = ({ author, byBot }: Voice) =>
    byBot
      ? author !== login && who.allowedBots.some((name) => isNameOfBot(author, name))
      : author !== login && who.mayWrite(author);
  const rounds: Rounds = who.asked ? new Map() : roundsOf(said, login);
  const hadAll = ({ author, byBot, commit = "" }: Voice) => {
    const had = byBot ? rounds.get(author) : undefined;
    return had !== undefined && had.size >= MAX_ROUNDS && !had.has(commit);
  };
  const isLate = ({ author, byBot, commit = "", id }: Voice) => {
    const firstReply = byBot ? rounds.get(author)?.get(commit) : undefined;
    return firstReply !== undefined && (id === undefined || id > firstReply);
  };
  const all = [...said.threads.flatMap(({ comments }) => comments), ...said.reviews, ...said.comments];
  return {
    heard,
    answered: (voice) => hadAll(voice) || isLate(voice),
    exhausted: [...new Set(all.filter((one) => heard(one) && hadAll(one)).map(({ author }) => author))],
  };
}

/**
 * By bot: the commits about which its words were answered ("" for words about none), with the id of our first reply in
 * a thread; 0 when all replies are elsewhere.
 */
type Rounds = ReadonlyMap<string, ReadonlyMap<string, number>>;

function roundsOf({ threads, reviews, comments }: Said, login: string): Rounds {
  const inThreads = threads.flatMap((thread) => thread.comments);
  const replies = new Map<string, number>();
  for (const reply of [...inThreads].sort((one, other) => other.id - one.id))
    for (const source of ownMarks("answer", [reply], login)) replies.set(source, reply.id);
  for (const source of ownMarks("answer", comments, login)) replies.set(source, 0);
  const words: readonly (Voice & { source: string })[] = [
    ...inThreads.map((one) => ({ ...one, source: `thread-${one.id}` })),
    ...reviews.map((one) => ({ ...one, source: `review-${one.id}` })),
    ...comments.map((one) => ({ ...one, source: `comment-${one.id}` })),
  ];
  const rounds = new Map<string, Map<string, number>>();
  for (const { author, byBot, commit = "", source } of words) {
    const reply = replies.get(source);
    if (!byBot || reply === undefined) continue;
    const own = rounds.get(author) ?? new Map<string, number>();
    const first = own.get(commit) || reply;
    rounds.set(author, own.set(commit, reply === 0 ? first : Math.min(first, reply)));
  }
  return rounds;
}
