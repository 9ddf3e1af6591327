import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runGit } from "./git/run-program.ts";
import { httpExchange } from "./http-exchange.ts";
import type { CommentFields } from "./pulls/build-comment.ts";
import { renderEmail } from "./render-body.ts";
import { tokenOfBot } from "./start-emulate.ts";
import type { Fields, RepositoryState, ReviewComment, WorldState } from "./state.ts";

export interface PersonReview {
  event: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  body?: string;
  /** The reviewed commit; the head by default. */
  commit_id?: string;
  comments?: CommentFields[];
}

/** A person, or another app, who acts over the same REST and git as everybody, and so causes webhooks. */
export interface Person {
  login: string;
  openIssue(fields: { title: string; body?: string; labels?: string[] }): Promise<number>;
  closeIssue(number: number): Promise<void>;
  lockIssue(number: number): Promise<void>;
  label(number: number, name: string): Promise<void>;
  unlabel(number: number, name: string): Promise<void>;
  /** Comments on an issue or pull request; gives the comment's id. */
  comment(number: number, body: string): Promise<number>;
  /** Answers by e-mail, which quotes what it answers; gives the comment's id. */
  email(number: number, body: string, quoted: string): Promise<number>;
  review(pull: number, review: PersonReview): Promise<number>;
  /** Comments on lines or a file; gives the comment's id. */
  commentOn(pull: number, comment: CommentFields): Promise<number>;
  /** Replies in the thread of a review comment; gives the reply's id. */
  replyTo(comment: number, body: string): Promise<number>;
  openPull(fields: { title: string; head: string; base?: string; body?: string; draft?: boolean }): Promise<number>;
  closePull(number: number): Promise<void>;
  merge(number: number): Promise<void>;
  /** Commits `files` (null removes one) to `branch`, new from the default branch, and pushes; gives the commit's id. */
  push(branch: string, files: Record<string, string | null>, message?: string): Promise<string>;
  /** Makes any other request below the repository; throws unless it succeeds. */
  request(method: string, path: string, body?: object): Promise<unknown>;
}

/** The person `login`, who acts in `repo` with her own token; `SLUG[bot]` is another app, which only talks. */
export function createPerson(state: WorldState, repo: RepositoryState, login: string): Person {
  const token = login.endsWith("[bot]") ? tokenOfBot(login, repo) : `ghp_${login}`;
  if (!state.tokens.has(token)) throw new Error(`nobody called ${login} in the world`);
  const request = async (method: string, path: string, body?: object): Promise<unknown> => {
    const { status, text } = await httpExchange(`${state.url}/api/v3/repos/${repo.owner}/${repo.name}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "user-agent": login },
      body: body && JSON.stringify(body),
    });
    if (status < 200 || status > 299) throw new Error(`${login}: ${method} ${path} was answered ${status}: ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };
  const made = async (path: string, body: object) =>
    (await request("POST", path, body)) as Fields & { id: number; number: number };
  const change = (path: string) => async (number: number, fields: object) =>
    void (await request("PATCH", `${path}/${number}`, fields));
  const issue = change("/issues");
  const threadOf = (comment: number) => {
    const found = repo.threads.find((thread) => thread.comments.some((one: ReviewComment) => one.id === comment));
    if (found === undefined) throw new Error(`no review comment ${comment} in the world`);
    return found;
  };
  return {
    login,
    request,
    openIssue: async (fields) => (await made("/issues", fields)).number,
    closeIssue: (number) => issue(number, { state: "closed" }),
    lockIssue: async (number) => void (await request("PUT", `/issues/${number}/lock`)),
    label: async (number, name) => void (await request("POST", `/issues/${number}/labels`, { labels: [name] })),
    unlabel: async (number, name) =>
      void (await request("DELETE", `/issues/${number}/labels/${encodeURIComponent(name)}`)),
    comment: async (number, body) => (await made(`/issues/${number}/comments`, { body })).id,
    email: async (number, body, quoted) => {
      const whole = `${body}\n\nOn Friday, somebody wrote:\n> ${quoted}`;
      state.emails.set(whole, renderEmail(body, quoted));
      return (await made(`/issues/${number}/comments`, { body: whole })).id;
    },
    review: async (pull, review) => (await made(`/pulls/${pull}/reviews`, review)).id,
    commentOn: async (pull, comment) => {
      const commit_id = repo.pulls.get(pull)?.headSha;
      return (await made(`/pulls/${pull}/comments`, { ...comment, commit_id })).id;
    },
    replyTo: async (comment, body) => {
      const { pull, comments } = threadOf(comment);
      const commit_id = repo.pulls.get(pull)?.headSha;
      return (await made(`/pulls/${pull}/comments`, { body, commit_id, path: comments[0]?.path, in_reply_to: comment }))
        .id;
    },
    openPull: async (fields) => (await made("/pulls", { base: repo.defaultBranch, ...fields })).number,
    closePull: (number) => change("/pulls")(number, { state: "closed" }),
    merge: async (number) => void (await request("PUT", `/pulls/${number}/merge`, {})),
    push: (branch, files, message = "A change") => push(state, repo, login, { branch, files, message }),
  };
}

interface Push {
  branch: string;
  files: Record<string, string | null>;
  message: string;
}

async function push(
  state: WorldState,
  repo: RepositoryState,
  login: string,
  { branch, files, message }: Push,
): Promise<string> {
  const folder = await mkdtemp(join(state.folder, "person-"));
  const remote = `${state.url.replace("http://", `http://${login}:ghp_${login}@`)}/${repo.owner}/${repo.name}.git`;
  const [name, email] = [login, `${login}@example.test`];
  const env = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  const git = async (...args: string[]) => (await runGit(args, { cwd: folder, env })).toString().trim();
  try {
    await git("clone", "--quiet", remote, ".");
    const exists = (await repo.bare.refs()).has(`refs/heads/${branch}`);
    await git("checkout", "--quiet", "-B", branch, exists ? `origin/${branch}` : "HEAD");
    for (const [path, contents] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      if (contents === null) await rm(join(folder, path));
      else await writeFile(join(folder, path), contents);
    }
    await git("add", "--all", "--force");
    await git("commit", "--quiet", "--allow-empty", "--message", message);
    await git("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
    return await git("rev-parse", "HEAD");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
