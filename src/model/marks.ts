/**
 * Hidden marks in what the bot writes on GitHub. A write that may have been made before a crash is looked up by its
 * mark before it is made again. They count only in texts of which the app itself is the author.
 */
export const markers = {
  run: (runId: string) => `<!-- magis:run ${runId} -->`,
  review: (runId: string) => `<!-- magis:review ${runId} -->`,
  comment: (commentId: string) => `<!-- magis:qa ${commentId} -->`,
  /** what a change takes from tests and checks: a thread for people, which the app never resolves */
  tampering: (commentId: string) => `<!-- magis:tampering ${commentId} -->`,
  /** the answer to a command; one a comment */
  // Its text stays as it is in comments that were written before.
  command: (commentId: number) => `<!-- magis:order ${commentId} -->`,
  reply: (commentId: string) => `<!-- magis:reply ${commentId} -->`,
  /** in every comment about failing checks */
  checks: "<!-- magis:checks -->",
  /** the failing checks of this commit have been dealt with */
  checked: (commit: string) => `<!-- magis:checked ${commit} -->`,
  /** these checks fail on the base commit too, and that has been said */
  redOnBase: (id: string) => `<!-- magis:red-on-base ${id} -->`,
  /** all rounds of repair are used up, and that has been said */
  exhausted: "<!-- magis:repairs-used-up -->",
  /** in the body of a pull request that the bot has taken out of draft: it does so once */
  ready: "<!-- magis:ready -->",
  /** the bot's answer to something people said on its pull request: `thread-12`, `review-3`, `comment-45` */
  answer: (source: string) => `<!-- magis:answer ${source} -->`,
  /** what a run that ended unexpectedly has left without an answer */
  unanswered: (sources: readonly string[]) => `<!-- magis:unanswered ${sources.join(" ")} -->`,
  /** in the body of a pull request whose run waits for what its checks say of it */
  proving: "<!-- magis:proving -->",
  /** in the body of a pull request that the bot does not take out of draft: its fix could not be proved */
  unproved: "<!-- magis:unproved -->",
  /** that tests which ran on the base do not run on this commit: said once a commit */
  lostTests: (head: string) => `<!-- magis:lost-tests ${head} -->`,
  /** that checks wait for a person, or that none have come: said once a pull request */
  checksMissing: (pullRequest: number) => `<!-- magis:checks-missing ${pullRequest} -->`,
  /** around what a body says of the proof, and of what was not verified */
  proof: { begin: "<!-- magis:proof -->", end: "<!-- /magis:proof -->" },
  /** around the part of a text that is about follow-ups, and is replaced as a whole */
  followUps: { begin: "<!-- magis:follow-ups -->", end: "<!-- /magis:follow-ups -->" },
  /** what is wrong with the repository's configuration, said once for each time that somebody asks */
  settings: (deliveryId: string) => `<!-- magis:settings ${deliveryId} -->`,
  /** that this pull request has to be merged or closed first */
  openPullRequest: (pullRequest: number) => `<!-- magis:open-pull-request:${pullRequest} -->`,
  /** the bot leaves its pull request to the person who has committed to it */
  steppedBack: (pullRequest: number) => `<!-- magis:stepped-back ${pullRequest} -->`,
} as const;

/** A text on the host with its author. */
interface Said {
  readonly author: string;
  readonly body: string;
}

/** Whether the app (`login`) wrote a text, with `mark` in it where one is given. A forged mark of somebody else does not count. */
export function isOurs({ author, body }: Said, login: string, mark = ""): boolean {
  return author === login && body.includes(mark);
}

/** The id of the comment that a source `thread-12` names; undefined for any other source. */
export function commentOfThread(source: string): number | undefined {
  const id = /^thread-(\d+)$/.exec(source)?.[1];
  return id === undefined ? undefined : Number(id);
}

type MarkKind = "answer" | "unanswered" | "qa";

/** What the marks of one kind in the app's own texts name. */
export function ownMarks(kind: MarkKind, texts: readonly Said[], login: string): ReadonlySet<string> {
  const mark = new RegExp(`<!-- magis:${kind} ([^>]*?) -->`, "g");
  const own = texts.filter((text) => isOurs(text, login));
  const named = own.flatMap(({ body }) => [...body.matchAll(mark)].map(([, sources = ""]) => sources));
  return new Set(named.flatMap((sources) => sources.split(" ")));
}

/**
 * The number of the next task on a pull request: one more than the `known` tasks and than what the QA Engineers'
 * comments name, since these have names of their own on a pull request, which begin with the task's.
 */
export function nextTask(texts: readonly Said[], known: number, login: string): number {
  const named = [...ownMarks("qa", texts, login)].map((id) => Number(/^t(\d{1,6})-/.exec(id)?.[1] ?? 0));
  return Math.max(known, ...named) + 1;
}

/** Whether a commit is `tree` on `parent` and nothing else: that very change, whoever made it. */
export function isChange(
  commit: { readonly tree: string; readonly parents: readonly string[] },
  parent: string,
  tree = commit.tree,
): boolean {
  return commit.tree === tree && commit.parents.length === 1 && commit.parents[0] === parent;
}

/** The mark of a commit that repairs checks; it holds the commit's title, so that a later comment can say what was tried. */
export function repairMark(commit: string, title: string): string {
  // Two hyphens would end the comment that the mark is.
  const safe = encodeURIComponent(title.slice(0, 120).replace(/[\ud800-\udfff]/g, "")).replaceAll("-", "%2D");
  return `<!-- magis:repaired ${commit} ${safe} -->`;
}

const MARK = /<!-- magis:repaired ([0-9a-f]{7,64}) (\S*) -->/g;

export interface Repair {
  readonly commit: string;
  readonly title: string;
}

/** The repairs that the app's own comments tell of, by their marks, in the order of the comments. */
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

/** A pull request, as far as it tells what it is for. */
interface PullText {
  readonly body: string;
  readonly branch: string;
}

/** The mark of the run that opened a pull request: the first of its body. The run's id names the issue. */
const RUN = /^\s*<!-- magis:run (\S+#(\d{1,12})@\S+) -->/;

/** The id of the run that opened a pull request of the app; undefined where a person took its mark away. */
export function runOfPull({ body }: Pick<PullText, "body">): string | undefined {
  return RUN.exec(body)?.[1];
}

/** The issue that a pull request of the app resolves: by its run's mark, or by its branch where a person took that away. */
export function issueOfPull({ body, branch }: PullText): number | undefined {
  const issue = RUN.exec(body)?.[2];
  return issue === undefined ? issueOfBranch(branch) : Number(issue);
}

/** What all branches of the app begin with. */
export const OWN_BRANCHES = "magis/";

/** `magis/issue-12-slug`, and what a repository's template makes of that. */
const OWN_BRANCH = /^magis\/(?:.*?[^\d])??(\d{1,12})[-_/]/;

/** The issue that a branch of the app is for; undefined for anybody else's branch. */
export function issueOfBranch(branch: string): number | undefined {
  const issue = OWN_BRANCH.exec(branch)?.[1];
  return issue === undefined ? undefined : Number(issue);
}

/** The branch of an issue's change after the setting `branch`, whose form makes it a valid ref name below `magis/`. */
export function branchOf(template: string, issue: number, title: string): string {
  return template.replace("{issue}", String(issue)).replaceAll("{slug}", slug(title));
}

const ISSUE = "{issue}";

/**
 * What every branch of one issue begins with after the setting `branch`, and no branch of another issue: up to the mark
 * behind the number. By it the bot finds its own pull requests of an issue.
 */
export function branchPrefix(template: string, issue: number): string {
  const at = template.indexOf(ISSUE);
  return `${template.slice(0, at)}${issue}${template.charAt(at + ISSUE.length)}`;
}

/** How many branches of one issue are looked at: one is left by each earlier run. */
export const MAX_BRANCHES = 50;

/** The names that are tried for a branch while earlier runs or people have taken them: `name`, `name-2`, `name-3`, … */
export function* branchNames(name: string): Generator<string> {
  yield name;
  for (let number = 2; number <= MAX_BRANCHES; number++) yield `${name}-${number}`;
}

const MAX_LENGTH = 40;

/**
 * A title as part of a branch name: ASCII lower-case letters, digits and single hyphens, at most 40 characters, cut
 * between words where it can be; "change" when nothing is left.
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
