import { isCommand } from "../data/command.ts";
import { type IssueSnapshot, mayWrite } from "../data/discussion.ts";
import { isHostRefusal } from "../data/error.ts";
import { isOurs, issueOfPull, runOfPull } from "../data/marks.ts";
import type { CodeHost, HostComment, PullChange } from "../github/code-host.ts";
import { openedPull } from "../report/tracking-comment.ts";
import { cutEnd } from "../text/cut.ts";
import { type Rendered, shownText } from "../text/shown-text.ts";
import { stripInvisible } from "../text/visible-text.ts";

type Declined = NonNullable<IssueSnapshot["declined"]>;

/**
 * The last pull request that the bot opened for an issue, if it was closed unmerged: an outline of its change, and what
 * people with write permission said on it. The bot's own comments on the issue name it, so that other issues cost no
 * request; this one costs five, and one for each person. One that the bot took back does not count.
 */
export async function readDeclined(
  issue: number,
  comments: readonly HostComment[],
  host: CodeHost,
): Promise<Declined | undefined> {
  const opened = comments.filter(({ author }) => author === host.login).map(({ body }) => openedPull(body) ?? 0);
  const number = Math.max(0, ...opened);
  if (number === 0) return undefined;
  try {
    const pull = await host.readPullRequest(number);
    const counts = pull.byApp && issueOfPull(pull) === issue && runOfPull(pull) !== undefined;
    if (!counts || pull.open || pull.merged) return undefined;
    return { number, outline: outlineOf(await host.changesOf(number)), said: await saidOn(number, host) };
  } catch (error) {
    if (isHostRefusal(error)) return undefined;
    throw error;
  }
}

const MAX_OUTLINE = 1_500;

const MAX_HEADS = 4;

const MAX_HEAD = 80;

const HEAD = /^@@ [^@\n]{1,80} @@ (.*)$/gm;

/** The changed files, each with what its hunks are in. */
function outlineOf(changes: readonly PullChange[]): string {
  const parts = changes.map(({ path, added, removed, patch }) => {
    const heads = new Set([...patch.matchAll(HEAD)].map(([, head = ""]) => `  ${head.trim().slice(0, MAX_HEAD)}`));
    return [`${path} +${added} -${removed}`, ...[...heads].slice(0, MAX_HEADS)].join("\n");
  });
  return cutEnd(stripInvisible(parts.join("\n")), MAX_OUTLINE);
}

const MAX_SAID = 2_500;

const MAX_WORDS = 800;

/** So many of the last words are read. */
const MAX_VOICES = 20;

/** Oldest first; where there is too much, the last words are kept. */
async function saidOn(number: number, host: CodeHost): Promise<Declined["said"]> {
  const threads = await host.listThreads(number);
  const words: readonly (Rendered & Word)[] = [
    ...threads.flatMap(({ path, comments }) => comments.map((one) => ({ ...one, path, at: one.createdAt }))),
    ...(await host.listReviews(number)).map((one) => ({ ...one, at: one.submittedAt })),
    ...(await host.listComments(number)).map((one) => ({ ...one, at: one.createdAt })),
  ];
  const last = words
    .filter((one) => !one.byBot && !isOurs(one, host.login, "<!-- magis:") && !isCommand(one.body) && one.body.trim())
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(-MAX_VOICES);
  const people = await peopleWhoMayWrite(
    host,
    last.map(({ author }) => author),
  );
  const said: Declined["said"][number][] = [];
  let room = MAX_SAID;
  for (const one of last.filter(({ author }) => people.has(author)).reverse()) {
    const body = cutEnd(shownText(one), MAX_WORDS);
    room -= body.length;
    if (room < 0) break;
    said.unshift({ author: one.author, path: one.path, body });
  }
  return said;
}

interface Word {
  author: string;
  byBot: boolean;
  /** of the file that a thread is on */
  path?: string;
  at: string;
}

/** Those of `logins` who may push to the repository; one request for each. */
export async function peopleWhoMayWrite(host: CodeHost, logins: readonly string[]): Promise<ReadonlySet<string>> {
  const people = new Set<string>();
  for (const login of new Set(logins)) if (mayWrite(await host.permissionOf(login))) people.add(login);
  return people;
}
