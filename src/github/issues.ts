import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { Permission } from "../data/discussion.ts";
import { isHostRefusal } from "../data/error.ts";
import { findImages } from "../text/uploads.ts";
import type { HostComment, HostIssue, HostRelative, Reaction } from "./code-host.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import { FULL, type GithubRepository, htmlOf, isOwn } from "./repository.ts";

const MINIMISE = `mutation ($comment: ID!) {
  minimizeComment(input: { subjectId: $comment, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;

export function readIssue({ client, owner, repo }: GithubRepository, issue: number): Promise<HostIssue> {
  return attempt(`read issue #${issue}`, async () => {
    const { data } = await client.rest.issues.get({ owner, repo, issue_number: issue, ...FULL });
    return toHostIssue(data);
  });
}

const commentsOf = ({ owner, repo }: GithubRepository, issue: number) =>
  ({ owner, repo, issue_number: issue, per_page: 100 }) as const;

export function listComments(github: GithubRepository, issue: number): Promise<readonly HostComment[]> {
  const { client } = github;
  return attempt(`list the comments of #${issue}`, async () => {
    const rows = await client.paginate(client.rest.issues.listComments, { ...commentsOf(github, issue), ...FULL });
    return rows.map(toHostComment);
  });
}

export function findOwnComment(
  github: GithubRepository,
  issue: number,
  marker: string,
): Promise<HostComment | undefined> {
  const { client } = github;
  return attempt(`look for the app's comment on #${issue}`, async () => {
    const pages = client.paginate.iterator(client.rest.issues.listComments, commentsOf(github, issue));
    for await (const { data } of pages) {
      const found = data.find((comment) => comment.body?.includes(marker) && isOwn(github, comment));
      if (found) return toHostComment(found);
    }
    return undefined;
  });
}

/** Not repeated after an unknown outcome: look for the comment's mark first (`findOwnComment`). */
export function createComment(
  { client, owner, repo }: GithubRepository,
  issue: number,
  body: string,
): Promise<HostComment> {
  return attempt(`comment on #${issue}`, async () => {
    const { data } = await client.rest.issues.createComment({ owner, repo, issue_number: issue, body });
    return toHostComment(data);
  });
}

export function updateComment({ client, owner, repo }: GithubRepository, comment: number, body: string): Promise<void> {
  return attempt("edit a comment", async () => {
    await client.rest.issues.updateComment({ owner, repo, comment_id: comment, body });
  });
}

export function minimiseComment({ client }: GithubRepository, nodeId: string): Promise<void> {
  return attempt("hide an outdated comment", async () => {
    await client.graphql(MINIMISE, { comment: nodeId });
  });
}

export function react(
  { client, owner, repo }: GithubRepository,
  target: { issue: number } | { comment: number },
  reaction: Reaction,
): Promise<void> {
  const { reactions } = client.rest;
  return attempt("add a reaction", async () => {
    if ("issue" in target) {
      await reactions.createForIssue({ owner, repo, issue_number: target.issue, content: reaction });
    } else {
      await reactions.createForIssueComment({ owner, repo, comment_id: target.comment, content: reaction });
    }
  });
}

const ROLES: readonly string[] = ["admin", "maintain", "write", "triage", "read", "none"] satisfies Permission[];

/**
 * What `login` may do in the repository. A custom role counts as the standard role that it extends, which GitHub gives
 * in `permission`; an unknown login may do nothing.
 */
export async function permissionOf({ client, owner, repo }: GithubRepository, login: string): Promise<Permission> {
  return attempt(`read the permission of ${login}`, async () => {
    try {
      const { data } = await client.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login });
      return [data.role_name, data.permission].find(isPermission) ?? "none";
    } catch (error) {
      if (isHttpFailure(error) && error.status === 404) return "none";
      throw error;
    }
  });
}

function isPermission(role: string | undefined): role is Permission {
  return role !== undefined && ROLES.includes(role);
}

type Issue = RestEndpointMethodTypes["issues"]["get"]["response"]["data"];

/** GitHub's issue or pull request in the port's terms. */
function toHostIssue(issue: Issue): HostIssue {
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body ?? "",
    html: htmlOf(issue),
    author: issue.user?.login ?? "ghost",
    ...byMaintainer(issue.author_association),
    url: issue.html_url,
    open: issue.state === "open",
    locked: issue.locked,
    isPullRequest: Boolean(issue.pull_request),
    labels: issue.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    assignees: (issue.assignees ?? []).map(({ login }) => login),
    type: issue.type?.name,
    ...familyOf(issue),
  };
}

function familyOf({ parent_issue_url: parent, sub_issues_summary: children }: Issue): Pick<HostIssue, "family"> {
  const family = { parent: typeof parent === "string", children: children?.total ?? 0 };
  return family.parent || family.children > 0 ? { family } : {};
}

const MAX_CHILDREN = 10;

/**
 * One request for the parent and one for the sub-issues, where there are any. Those of other repositories are left out:
 * a person's token may read what the readers of this one may not.
 */
export async function relativesOf(
  { client, owner, repo }: GithubRepository,
  { number, family }: Pick<HostIssue, "number" | "family">,
): Promise<readonly HostRelative[]> {
  const { issues } = client.rest;
  const place = { owner, repo, issue_number: number, ...FULL };
  const parent = family?.parent ? await orNone(async () => [(await issues.getParent(place)).data]) : [];
  const listed = async () => (await issues.listSubIssues({ ...place, per_page: MAX_CHILDREN })).data;
  const children = family && family.children > 0 ? await orNone(listed) : [];
  const own = `/repos/${owner}/${repo}`.toLowerCase();
  const isHere = ({ repository_url: url }: Issue) => url.toLowerCase().endsWith(own);
  const as = (relation: HostRelative["relation"]) => (issue: Issue) => ({
    ...toHostIssue(issue),
    relation,
    updatedAt: issue.updated_at,
  });
  return [...parent.filter(isHere).map(as("parent")), ...children.filter(isHere).map(as("sub-issue"))];

  /** An older server has no such thing, and not all that exists may be read. */
  async function orNone(read: () => Promise<Issue[]>): Promise<Issue[]> {
    try {
      return await attempt(`read the relatives of #${number}`, read);
    } catch (error) {
      if (isHostRefusal(error)) return [];
      throw error;
    }
  }
}

type Comment = RestEndpointMethodTypes["issues"]["getComment"]["response"]["data"];

/** GitHub's issue comment in the port's terms; the author of a deleted account is "ghost", as on GitHub's pages. */
function toHostComment(comment: Comment): HostComment {
  return {
    id: comment.id,
    nodeId: comment.node_id,
    author: comment.user?.login ?? "ghost",
    ...byMaintainer(comment.author_association),
    byBot: comment.user?.type === "Bot",
    body: comment.body ?? "",
    html: htmlOf(comment),
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
  };
}

/** Rendered by GitHub itself, whose answers bear this header: the page of a proxy is no rendered text. */
export async function renderText({ client, owner, repo }: GithubRepository, text: string): Promise<string | undefined> {
  try {
    const { data, headers } = await attempt("render a text", () =>
      client.rest.markdown.render({ text, mode: "gfm", context: `${owner}/${repo}` }),
    );
    return headers["x-github-request-id"] === undefined ? undefined : data;
  } catch (error) {
    if (isHostRefusal(error)) return undefined;
    throw error;
  }
}

const IMAGES = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $number) { url bodyHTML comments(first: 100) { nodes { bodyHTML } } }
  }
}`;

interface ShownIssue {
  url: string;
  bodyHTML: string;
  comments: { nodes: readonly ({ bodyHTML: string } | null)[] };
}

export async function imagesOf(
  { client, owner, repo }: GithubRepository,
  number: number,
): Promise<ReadonlyMap<string, string>> {
  const { repository } = await attempt(`read the images of #${number}`, () =>
    client.graphql<{ repository: { issue: ShownIssue } }>(IMAGES, { owner, repo, number }),
  );
  const { url, bodyHTML, comments } = repository.issue;
  const pages = [bodyHTML, ...comments.nodes.map((node) => node?.bodyHTML ?? "")];
  return findImages(pages, new URL(url).origin);
}

const MAINTAINERS: readonly string[] = ["OWNER", "MEMBER", "COLLABORATOR"];

/** An author's association with the repository, which an older server may not send. */
function byMaintainer(association: string | undefined): Pick<HostComment, "byMaintainer"> {
  return association === undefined ? {} : { byMaintainer: MAINTAINERS.includes(association) };
}
