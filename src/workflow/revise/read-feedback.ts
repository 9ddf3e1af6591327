import { type Feedback, mayWrite, type Utterance } from "../../model/discussion.ts";
import { nextTask, ownMarks } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { HostComment, IssueApi } from "../../ports/code-host.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import { stripHiddenText } from "../../text/strip-hidden.ts";
import { stepBack } from "../publish/follow-up.ts";
import { findOrigin, type Origin } from "../run/record.ts";
import type { RunTools } from "../run/run-tools.ts";
import { type CommandHint, commandHint, findOpenComments, findOpenThreads } from "./open-feedback.ts";

/** What a revision works on: the feedback, and the pull request as it was when that was read. */
export interface Batch {
  readonly pull: HostPullRequest;
  readonly feedback: Feedback;
  /** what was said in plain comments before, the bot's answers included */
  readonly conversation: readonly Utterance[];
  readonly origin: Origin;
  /** number of the revision's first task: QA comments of all runs on a pull request have names of their own */
  readonly firstTask: number;
}

/** Why there is nothing for this run to do. */
export type NothingToDo = "closed" | "answered" | "given-up" | "stepped-back";

const MAX_SPEECHES = 12;

/**
 * Reads all that people wait to have answered. Nothing to do: the pull request is closed, everything is answered, an
 * earlier run has failed on it and nobody said more, or a person has taken over the branch, which is said once.
 */
export async function readFeedback(
  request: RunRequest,
  tools: Pick<RunTools, "host" | "earlierRun" | "settings">,
): Promise<Batch | { readonly nothing: NothingToDo }> {
  const { host } = tools;
  const found = await host.readPullRequest(request.issue);
  const head = found.open && found.byApp ? await host.branchTip(found.branch) : undefined;
  if (head === undefined) return { nothing: "closed" };
  const pull = { ...found, head };
  const asked = request.work.kind === "revise" && request.work.asked;
  const said = {
    threads: await host.listThreads(pull.number),
    reviews: await host.listReviews(pull.number),
    comments: await host.listComments(pull.number),
  };
  // Whoever it is by: their texts are not worth reading before it is known that they may write.
  const everybody = openFeedback(
    said,
    host.login,
    () => true,
    commandHint(request),
    (body) => body,
  );
  if (isEmpty(everybody)) return { nothing: "answered" };
  const people = await peopleWhoMayWrite(host, authorsOf(said, host.login));
  const mayWrite = (author: string) => people.has(author);
  const feedback = openFeedback(said, host.login, mayWrite, commandHint(request));
  if (isEmpty(feedback)) return { nothing: "answered" };
  const abandoned = ownMarks("unanswered", said.comments, host.login);
  if (!asked && sourcesOf(feedback).every((source) => abandoned.has(source))) return { nothing: "given-up" };
  if (!asked && (await stepBack(host, pull, await host.listCommits(pull.number)))) return { nothing: "stepped-back" };
  const origin = await findOrigin(request, pull, tools);
  const inThreads = said.threads.flatMap(({ comments }) => comments);
  const firstTask = nextTask(inThreads, origin.roles.length, host.login);
  const conversation = conversationOf(said.comments, feedback, host.login, mayWrite);
  return { pull, feedback, conversation, origin, firstTask };
}

type Said = Parameters<typeof findOpenComments>[0] & { readonly threads: Parameters<typeof findOpenThreads>[0] };

function openFeedback(
  said: Said,
  login: string,
  mayWrite: (author: string) => boolean,
  asked: CommandHint | undefined,
  read?: (body: string) => string,
): Feedback {
  return {
    threads: findOpenThreads(said.threads, login, mayWrite, read),
    comments: findOpenComments(said, login, mayWrite, asked, read),
  };
}

const isEmpty = ({ threads, comments }: Feedback) => threads.length + comments.length === 0;

const sourcesOf = ({ threads, comments }: Feedback) => [...threads, ...comments].map(({ source }) => source);

function authorsOf({ threads, reviews, comments }: Said, login: string): string[] {
  const open = threads.filter(({ resolved }) => !resolved).flatMap((thread) => thread.comments);
  return [...open, ...reviews, ...comments]
    .filter(({ author, byBot }) => author !== login && !byBot)
    .map(({ author }) => author);
}

function conversationOf(
  comments: readonly HostComment[],
  feedback: Feedback,
  login: string,
  mayWrite: (author: string) => boolean,
): Utterance[] {
  return comments
    .filter(({ id, author, byBot }) => author === login || (!byBot && mayWrite(author) && isAnswered(id)))
    .slice(-MAX_SPEECHES)
    .map(({ author, body }) => ({ author, own: author === login, body: stripHiddenText(body).trim().slice(0, 4_000) }));

  function isAnswered(id: number): boolean {
    return !feedback.comments.some(({ source }) => source === `comment-${id}`);
  }
}

/** Those of `logins` who may push to the repository; each is asked for once. */
async function peopleWhoMayWrite(
  host: Pick<IssueApi, "permissionOf">,
  logins: readonly string[],
): Promise<ReadonlySet<string>> {
  const people = new Set<string>();
  for (const login of new Set(logins)) if (mayWrite(await host.permissionOf(login))) people.add(login);
  return people;
}
