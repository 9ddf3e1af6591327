import type { IssueApi } from "../../ports/issue-api.ts";
import { attempt } from "./attempt.ts";
import { fitBody } from "./fit-body.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isOwn } from "./is-own.ts";
import { permissionOf } from "./permission-of.ts";
import { toHostComment } from "./to-host-comment.ts";

const MINIMISE = `mutation ($comment: ID!) {
  minimizeComment(input: { subjectId: $comment, classifier: OUTDATED }) { minimizedComment { isMinimized } }
}`;

/** The issues of one repository on GitHub; errors as the port says. */
export function createIssueApi(repository: GithubRepository): IssueApi {
  const { client, owner, repo } = repository;
  const { issues, reactions } = client.rest;
  const commentsOf = (issue: number) => ({ owner, repo, issue_number: issue, per_page: 100 });

  return {
    readIssue: (issue) =>
      attempt(`read issue #${issue}`, async () => {
        const { data } = await issues.get({ owner, repo, issue_number: issue });
        return {
          number: data.number,
          title: data.title,
          body: data.body ?? "",
          author: data.user?.login ?? "ghost",
          url: data.html_url,
          open: data.state === "open",
          locked: data.locked,
          isPullRequest: Boolean(data.pull_request),
          labels: data.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
        };
      }),

    listComments: (issue) =>
      attempt(`list the comments of #${issue}`, async () =>
        (await client.paginate(issues.listComments, commentsOf(issue))).map(toHostComment),
      ),

    permissionOf: (login) => permissionOf(repository, login),

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
        const { data } = await issues.createComment({ owner, repo, issue_number: issue, body: fitBody(body) });
        return toHostComment(data);
      }),

    updateComment: (comment, body) =>
      attempt("edit a comment", async () => {
        await issues.updateComment({ owner, repo, comment_id: comment, body: fitBody(body) });
      }),

    minimiseComment: (nodeId) =>
      attempt("hide an outdated comment", async () => {
        await client.graphql(MINIMISE, { comment: nodeId });
      }),
  };
}
