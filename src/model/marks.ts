import { slug } from "../text/names.ts";

/**
 * Hidden marks in what the bot writes on GitHub. A write that may have been made before a crash is looked up by its
 * mark before it is made again. They count only in texts of which the app itself is the author.
 */
export const markers = {
  run: (runId: string) => `<!-- magis:run ${runId} -->`,
  review: (runId: string) => `<!-- magis:review ${runId} -->`,
  comment: (commentId: string) => `<!-- magis:qa ${commentId} -->`,
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
  /** around the part of a text that is about follow-ups, and is replaced as a whole */
  followUps: { begin: "<!-- magis:follow-ups -->", end: "<!-- /magis:follow-ups -->" },
  /** the bot leaves its pull request to the person who has committed to it */
  steppedBack: (pullRequest: number) => `<!-- magis:stepped-back ${pullRequest} -->`,
} as const;

/** A text on the host with its author. */
interface Said {
  readonly author: string;
  readonly body: string;
}

/**
 * What the marks of one kind (`answer`, `unanswered`) in the app's own texts name. Marks of anybody else do not count.
 */
export function ownMarks(kind: "answer" | "unanswered", texts: readonly Said[], login: string): ReadonlySet<string> {
  const mark = new RegExp(`<!-- magis:${kind} ([^>]*?) -->`, "g");
  const own = texts.filter(({ author }) => author === login);
  const named = own.flatMap(({ body }) => [...body.matchAll(mark)].map(([, sources = ""]) => sources));
  return new Set(named.flatMap((sources) => sources.split(" ")));
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

/** The mark of the run at the beginning of a body; its id names the issue. */
const RUN = /^\s*<!-- magis:run \S+#(\d{1,12})@\S+ -->/;

/** The issue that a pull request of the app resolves: by its run's mark, or by its branch where a person took that away. */
export function issueOfPull({ body, branch }: { readonly body: string; readonly branch: string }): number | undefined {
  const issue = (RUN.exec(body) ?? OWN_BRANCH.exec(branch))?.[1];
  return issue === undefined ? undefined : Number(issue);
}

/** The bot's branches, `magis/issue-12-slug` and what a repository's template makes of that; the number is the issue's. */
export const OWN_BRANCH = /^magis\/(?:.*?[^\d])??(\d{1,12})[-_/]/;

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
