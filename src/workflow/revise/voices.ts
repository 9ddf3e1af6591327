import { isNameOfBot, ownMarks } from "../../model/marks.ts";
import type { HostComment } from "../../ports/code-host.ts";
import type { HostReview, ReviewThread } from "../../ports/pull-requests.ts";

/** Everything that was said on a pull request. */
export interface Said {
  readonly threads: readonly ReviewThread[];
  readonly reviews: readonly HostReview[];
  readonly comments: readonly HostComment[];
}

/** Who said something, and about which commit; a comment that is about none has no commit. */
export interface Voice {
  readonly author: string;
  readonly byBot: boolean;
  readonly commit?: string | undefined;
}

/** Whose words agents are shown, and whose are still to be answered. */
export interface Voices {
  heard(voice: Voice): boolean;
  answered(voice: Voice): boolean;
  /** logins of bots that had all their rounds, and have said more */
  readonly exhausted: readonly string[];
}

/** Commits about which one bot's words are answered: a bot that reviews every push would never stop. */
const MAX_ROUNDS = 3;

/**
 * People who `mayWrite`, and the bots that the settings allow. A bot gets one round for each commit, and `MAX_ROUNDS`
 * on a pull request: its words about a commit are answered together, and what it says to the answers is not. `asked`: a
 * person asks for more.
 */
export function voicesOf(
  said: Said,
  login: string,
  who: {
    readonly mayWrite: (author: string) => boolean;
    readonly allowedBots: readonly string[];
    readonly asked: boolean;
  },
): Voices {
  const heard = ({ author, byBot }: Voice) =>
    byBot
      ? author !== login && who.allowedBots.some((name) => isNameOfBot(author, name))
      : author !== login && who.mayWrite(author);
  const rounds = who.asked ? new Map<string, ReadonlySet<string>>() : roundsOf(said, login);
  const hadAll = ({ author, byBot, commit = "" }: Voice) => {
    const had = byBot ? rounds.get(author) : undefined;
    return had !== undefined && had.size >= MAX_ROUNDS && !had.has(commit);
  };
  const all = [...said.threads.flatMap(({ comments }) => comments), ...said.reviews, ...said.comments];
  return {
    heard,
    answered: (voice) => hadAll(voice) || (voice.byBot && !!rounds.get(voice.author)?.has(voice.commit ?? "")),
    exhausted: [...new Set(all.filter((one) => heard(one) && hadAll(one)).map(({ author }) => author))],
  };
}

/** The commits about which each bot's words were answered; "" for words about none. */
function roundsOf({ threads, reviews, comments }: Said, login: string): ReadonlyMap<string, ReadonlySet<string>> {
  const inThreads = threads.flatMap((thread) => thread.comments);
  const answered = ownMarks("answer", [...comments, ...inThreads], login);
  const words: readonly (Voice & { readonly source: string })[] = [
    ...inThreads.map((one) => ({ ...one, source: `thread-${one.id}` })),
    ...reviews.map((one) => ({ ...one, source: `review-${one.id}` })),
    ...comments.map((one) => ({ ...one, source: `comment-${one.id}` })),
  ];
  const rounds = new Map<string, Set<string>>();
  for (const { author, byBot, commit = "", source } of words) {
    if (!byBot || !answered.has(source)) continue;
    const own = rounds.get(author) ?? new Set();
    rounds.set(author, own.add(commit));
  }
  return rounds;
}
