import { MagisError } from "./error.ts";

/** What may stand in a mark: nothing that could end it and go on as text. */
const VALUE = /^[^\s<>]*$/;

/** A hidden mark. Throws RECORD_UNREADABLE for a value that would end it early. */
export function mark(name: string, ...values: readonly (string | number)[]): string {
  const wrong = values.find((value) => !VALUE.test(String(value)));
  if (wrong === undefined) return `<!-- magis:${[name, ...values].join(" ")} -->`;
  throw new MagisError("RECORD_UNREADABLE", `A hidden mark "${name}" cannot hold ${JSON.stringify(wrong)}.`);
}

/**
 * Hidden marks in what the bot writes on GitHub. After a crash, the bot looks for the mark before it writes again.
 * Marks count only in texts that the app itself wrote.
 */
export const markers = {
  run: (runId: string) => mark("run", runId),
  /** at the beginning of a pull request's body: the options of its request that hold for later runs, too */
  options: (words: readonly string[]) => mark("options", ...words.map(encoded)),
  review: (runId: string) => mark("review", runId),
  comment: (commentId: string) => mark("qa", commentId),
  /** a thread about an edit of tests or checks: people resolve it, the app never does */
  shown: (commentId: string) => mark("shown", commentId),
  /** the answer to a command; one per comment. It says `order` because older comments do */
  command: (commentId: number) => mark("order", commentId),
  reply: (commentId: string) => mark("reply", commentId),
  /** in every comment about failing checks */
  checks: mark("checks"),
  /** the failing checks of this commit have been handled */
  checked: (commit: string) => mark("checked", commit),
  /** the comment that these checks fail on the base commit too */
  redOnBase: (id: string) => mark("red-on-base", id),
  /** the comment that all rounds of repair are used up */
  exhausted: mark("repairs-used-up"),
  /** in the body of a pull request that the bot has marked ready, which it does only once */
  ready: mark("ready"),
  /** the bot's answer to feedback on its pull request: `thread-12`, `review-3`, `comment-45` */
  answer: (source: string) => mark("answer", source),
  /** the feedback that a failed run left unanswered */
  unanswered: (sources: readonly string[]) => mark("unanswered", ...sources),
  /** in the body of a pull request whose run still waits for its checks */
  proving: mark("proving"),
  /** in the body of a pull request that stays a draft because its fix could not be proved */
  unproved: mark("unproved"),
  /** in the body of a draft that a person has to look at: agents resolved conflicts, or files must be made anew */
  resolved: mark("resolved-conflicts"),
  /** the comment that tests of the base no longer run on this commit; once per commit */
  lostTests: (head: string) => mark("lost-tests", head),
  /** the comment that checks wait for a person, or never started; once per pull request */
  checksMissing: (pullRequest: number) => mark("checks-missing", pullRequest),
  /** around the part of a body about the proof and what was not verified */
  proof: { begin: mark("proof"), end: "<!-- /magis:proof -->" },
  /** around the part about follow-ups, which is replaced as a whole */
  followUps: { begin: mark("follow-ups"), end: "<!-- /magis:follow-ups -->" },
  /** the comment that this pull request was merged into another branch than the default one */
  landed: (pullRequest: number) => mark("landed", pullRequest),
  /** the comment about errors in the repository's settings; once per request */
  settings: (deliveryId: string) => mark("settings", deliveryId),
  /** the comment that a limit keeps a run from going on; once per run */
  limit: (runId: string) => mark("limit", runId),
  /** the comment that this pull request has to be merged or closed first */
  openPullRequest: (pullRequest: number) => mark(`open-pull-request:${pullRequest}`),
  /** the comment that a bot's further reviews are left to people; once per bot */
  botRounds: (login: string) => mark("bot-rounds", login),
  /** the comment that somebody else works on the issue, or that it is not for the bot; once per request */
  lookedFirst: (deliveryId: string) => mark("looked-first", deliveryId),
  /** the comment about what a merge of the base resolved; once per commit */
  updated: (commit: string) => mark("updated", commit),
  /** in every comment that the base could not be merged */
  updateFailed: mark("update-failed"),
  /** the comment about conflicts with the base that are left to people; once for the same conflicts */
  leftConflicts: (digest: string) => mark("left-conflicts", digest),
  /** the comment that the bot leaves its pull request to the person who committed to it */
  steppedBack: (pullRequest: number) => mark("stepped-back", pullRequest),
  /** the comment that asks whether a draft is still wanted; once per pull request */
  stale: (pullRequest: number) => mark("stale", pullRequest),
  /** the comment on the issue that the bot has closed a draft which nobody wanted; once per pull request */
  staleClosed: (pullRequest: number) => mark("stale-closed", pullRequest),
} as const;

/** A text on the host with its author. */
interface Said {
  author: string;
  body: string;
}

/** Whether `login` is the bot of that name, with or without the `[bot]` that GitHub appends. */
export function isNameOfBot(login: string, name: string): boolean {
  const plain = (text: string) => text.replace(/\[bot\]$/i, "").toLowerCase();
  return plain(login) === plain(name);
}

/** Whether the app (`login`) wrote a text, and it holds `mark` if one is given. Marks forged by others do not count. */
export function isOurs({ author, body }: Said, login: string, mark = ""): boolean {
  return author === login && body.includes(mark);
}

/** The comment's id in a source such as `thread-12`; undefined for any other source. */
export function commentOfThread(source: string): number | undefined {
  const id = /^thread-(\d+)$/.exec(source)?.[1];
  return id === undefined ? undefined : Number(id);
}

const MARKS = /<!-- magis:(answer|unanswered|qa) ([^>]*?) -->/g;

type MarkKind = "answer" | "unanswered" | "qa";

/** The names in the marks of one kind, from the app's own texts. */
export function ownMarks(kind: MarkKind, texts: readonly Said[], login: string): ReadonlySet<string> {
  const own = texts.filter((text) => isOurs(text, login));
  const named = own.flatMap(({ body }) => [...body.matchAll(MARKS)]);
  return new Set(named.flatMap(([, found, sources = ""]) => (found === kind ? sources.split(" ") : [])));
}

/**
 * The number of the next task on a pull request: higher than the `known` tasks and those in the marks of QA comments,
 * whose ids begin with the task's and must stay unique on the pull request.
 */
export function nextTask(texts: readonly Said[], known: number, login: string): number {
  const named = [...ownMarks("qa", texts, login)].map((id) => Number(/^t(\d{1,6})-/.exec(id)?.[1] ?? 0));
  return Math.max(known, ...named) + 1;
}

/**
 * Whether a commit is exactly `tree` on `parent`: the same change, whoever made it. `merges`: the commit that it merges
 * into `parent`.
 */
export function isChange(
  commit: { tree: string; parents: readonly string[] },
  parent: string,
  tree = commit.tree,
  merges?: string,
): boolean {
  return commit.tree === tree && commit.parents.join() === parentsOf(parent, merges).join();
}

/** A commit's parents: the branch it is on, and what it merges. */
export const parentsOf = (parent: string, merges: string | undefined): readonly string[] =>
  merges === undefined ? [parent] : [parent, merges];

/** The mark of a commit that repairs checks, with its title, so that a later comment can say what was tried. */
export function repairMark(commit: string, title: string): string {
  return mark("repaired", commit, encoded(title.slice(0, 120)));
}

/** A text for a mark. */
function encoded(text: string): string {
  // Two hyphens would end the HTML comment.
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "")).replaceAll("-", "%2D");
}

const MARK = /<!-- magis:repaired ([0-9a-f]{7,64}) (\S*) -->/g;

export interface Repair {
  commit: string;
  title: string;
}

/** The repairs marked in the app's own comments, in the comments' order. */
export function readRepairs(bodies: readonly string[]): readonly Repair[] {
  return bodies.flatMap((body) =>
    [...body.matchAll(MARK)].map(([, commit = "", title = ""]) => ({ commit, title: decoded(title) })),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The parts of a pull request that tell its issue. */
interface PullText {
  body: string;
  branch: string;
}

/** The mark of the run that opened a pull request, at the beginning of its body. The run's id names the issue. */
const RUN = /^\s*<!-- magis:run (\S+#(\d{1,12})@\S+) -->/;

/** The id of the run that opened a pull request of the app; undefined when a person has removed its mark. */
export function runOfPull({ body }: Pick<PullText, "body">): string | undefined {
  return RUN.exec(body)?.[1];
}

const OPTIONS = /^\s*(?:<!-- magis:run \S+ -->\s*)?<!-- magis:options (\S+(?: \S+)*) -->/;

/** The options in a pull request's mark, `name:value` each. */
export function optionsOfPull({ body }: Pick<PullText, "body">): readonly string[] {
  return OPTIONS.exec(body)?.[1]?.split(" ").map(decoded) ?? [];
}

/**
 * The issue that a pull request of the app resolves: by its run's mark, or by its branch if a person removed the mark.
 */
export function issueOfPull({ body, branch }: PullText): number | undefined {
  const issue = RUN.exec(body)?.[2];
  return issue === undefined ? issueOfBranch(branch) : Number(issue);
}

/** The prefix of all branches of the app. */
export const OWN_BRANCHES = "magis/";

/** `magis/issue-12-slug`, or the form of a repository's own template. */
const OWN_BRANCH = /^magis\/(?:.*?[^\d])??(\d{1,12})[-_/]/;

/** The issue that a branch of the app is for; undefined for anybody else's branch. */
export function issueOfBranch(branch: string): number | undefined {
  const issue = OWN_BRANCH.exec(branch)?.[1];
  return issue === undefined ? undefined : Number(issue);
}

/** An issue's branch, made from the setting `branch`, whose form ensures a valid ref name below `magis/`. */
export function branchOf(template: string, issue: number, title: string): string {
  return template.replace("{issue}", String(issue)).replaceAll("{slug}", slug(title));
}

const ISSUE = "{issue}";

/**
 * The prefix of every branch of one issue and of no other: the setting `branch`, up to the character after the number.
 * The bot finds its pull requests of an issue by it.
 */
export function branchPrefix(template: string, issue: number): string {
  const at = template.indexOf(ISSUE);
  return `${template.slice(0, at)}${issue}${template.charAt(at + ISSUE.length)}`;
}

/** How many branches of one issue we look at; each earlier run leaves one. */
export const MAX_BRANCHES = 50;

/** Names to try for a branch until one is free: `name`, `name-2`, `name-3`, … */
export function* branchNames(name: string): Generator<string> {
  yield name;
  for (let number = 2; number <= MAX_BRANCHES; number++) yield `${name}-${number}`;
}

const MAX_LENGTH = 40;

/**
 * A title as part of a branch name: ASCII lower-case letters, digits and single hyphens, at most 40 characters, cut
 * between words if possible; "change" when nothing is left.
 */
export function slug(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  let made = "";
  for (const word of words ?? []) {
    const longer = made === "" ? word : `${made}-${word}`;
    if (longer.length > MAX_LENGTH) break;
    made = longer;
  }
  return made || words?.[0]?.slice(0, MAX_LENGTH) || "change";
}
