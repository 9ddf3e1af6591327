import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { Permission } from "../../model/discussion.ts";
import { isHostRefusal } from "../../model/error.ts";
import type { HostComment, HostIssue, IssueApi } from "../../ports/code-host.ts";
import { findImages } from "../../text/images.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import { pullsAbout } from "./pulls-about.ts";
import { FULL, type GithubRepository, htmlOf, isOwn } from "./repository.ts";

const MINIMISE = `mutation ($comment: ID!) {
  minimizeComment(input: { subjectId: $comment, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;

/** The issues of one repository on GitHub. */
export function createIssueApi(repository: GithubRepository): IssueApi {
  const { client, owner, repo } = repository;
  const { issues, reactions } = client.rest;
  const commentsOf = (issue: number) => ({ owner, repo, issue_number: issue, per_page: 100 });

  return {
    readIssue: (issue) =>
      attempt(`read issue #${issue}`, async () => {
        return toHostIssue((await issues.get({ owner, repo, issue_number: issue, ...FULL })).data);
      }),

    pullsAbout: (issue) => pullsAbout(repository, issue),

    listComments: (issue) =>
      attempt(`list the comments of #${issue}`, async () =>
        (await client.paginate(issues.listComments, { ...commentsOf(issue), ...FULL })).map(toHostComment),
      ),

    permissionOf: (login) => permissionOf(repository, login),

    renderText: (text) => renderText(repository, text),

    imagesOf: (issue) => imagesOf(repository, issue),

    react: (target, reaction) =>
      attempt("add a reaction", async () => {
        if ("issue" in target) {
          await reactions.createForIssue({ owner, repo, issue_number: target.issue, content: reaction });
        } else {
          await reactions.createForIssueComment({ owner, repo, comment_id: target.comment, content: reaction });
        }
      }),

    findOwnComment: (issue, marker) =>
      attempt(`look for the app's comment on #${issue}`, async () => {
        for await (const { data } of client.paginate.iterator(issues.listComments, commentsOf(issue))) {
          const found = data.find((comment) => comment.body?.includes(marker) && isOwn(repository, comment));
          if (found) return toHostComment(found);
        }
        return undefined;
      }),

    createComment: (issue, body) =>
      attempt(`comment on #${issue}`, async () => {
        const { data } = await issues.createComment({ owner, repo, issue_number: issue, body });
        return toHostComment(data);
      }),

    updateComment: (comment, body) =>
      attempt("edit a comment", async () => {
        await issues.updateComment({ owner, repo, comment_id: comment, body });
      }),

    minimiseComment: (nodeId) =>
      attempt("hide an outdated comment", async () => {
        await client.graphql(MINIMISE, { comment: nodeId });
      }),
  };
}

const ROLES: readonly string[] = ["admin", "maintain", "write", "triage", "read", "none"] satisfies Permission[];

/**
 * What `login` may do in the repository. A custom role counts as the standard role that it extends, which GitHub gives
 * in `permission`; an unknown login may do nothing.
 */
async function permissionOf(repository: GithubRepository, login: string): Promise<Permission> {
  const { client, owner, repo } = repository;
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
  };
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
async function renderText({ client, owner, repo }: GithubRepository, text: string): Promise<string | undefined> {
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
  readonly url: string;
  readonly bodyHTML: string;
  readonly comments: { readonly nodes: readonly ({ readonly bodyHTML: string } | null)[] };
}

async function imagesOf(
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
