import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type GraphQLSchema, graphql } from "graphql";
import { accountOf } from "../account-of.ts";
import { projectRoot } from "../project-root.ts";
import { htmlOf } from "../render-body.ts";
import type { Account, Actor, Fields, RepositoryState, WorldState } from "../state.ts";
import { pullMutations, threadMutations } from "./mutations.ts";
import { authorNode, type ConnectionArguments, connection, pullNode, threadNode } from "./nodes.ts";
import { findPull, graphqlFailure, requireAccess } from "./require-access.ts";

interface GraphqlAnswer {
  data?: unknown;
  errors?: Fields[];
}

export type Graphql = (state: WorldState, actor: Actor, body: Fields) => Promise<GraphqlAnswer>;

let schema: GraphQLSchema | undefined;

/** Executes GraphQL on GitHub's own schema, so that unknown fields and inputs are errors here too. */
export function createGraphql(): Graphql {
  return async (state, actor, { query, variables, operationName }) => {
    schema ??= readSchema();
    const { data, errors } = await graphql({
      schema,
      source: String(query),
      variableValues: variables as Fields | undefined,
      operationName: operationName as string | undefined,
      rootValue: {
        ...queryRoot(state, actor),
        ...threadMutations(state, actor),
        ...pullMutations(state, actor),
      },
    });
    const failed = errors?.map(({ message, path, locations, extensions }) => ({
      type: extensions.type,
      path,
      locations: locations ?? [],
      message,
    }));
    return { data, errors: failed };
  };
}

function readSchema(): GraphQLSchema {
  const file = join(projectRoot(), "node_modules/@octokit/graphql-schema/schema.graphql");
  return buildSchema(readFileSync(file, "utf8"), { assumeValid: true, noLocation: true });
}

/** The query fields that the world answers: viewer, repository and node. */
function queryRoot(state: WorldState, actor: Actor) {
  return {
    viewer: async () => {
      const account = await accountOf(state, actor.login);
      return {
        __typename: "User",
        login: account.login,
        id: account.node_id,
        databaseId: account.id,
        url: account.url,
      };
    },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repo = state.repositories.get(`${owner}/${name}`);
      if (repo === undefined)
        throw graphqlFailure("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      requireAccess(actor, repo, { permissions: ["metadata"], level: "read", role: "read" });
      return repositoryNode(state, repo, actor);
    },
    node: async ({ id }: { id: string }) => {
      for (const repo of state.repositories.values()) {
        const thread = repo.threads.find((one) => one.id === id);
        if (thread !== undefined)
          return threadNode(state, repo, actor, thread, () => pullNode(state, repo, actor, thread.pull));
      }
      const { repo, number } = await findPull(state, id);
      requireAccess(actor, repo, { permissions: ["pull_requests"], level: "read", role: "read" });
      return pullNode(state, repo, actor, number);
    },
  };
}

function repositoryNode(state: WorldState, repo: RepositoryState, actor: Actor) {
  const at = `/repos/${repo.owner}/${repo.name}`;
  const see = (permission: string) =>
    requireAccess(actor, repo, { permissions: [permission], level: "read", role: "read" });
  return {
    id: `R_${repo.owner}/${repo.name}`,
    name: repo.name,
    nameWithOwner: `${repo.owner}/${repo.name}`,
    isPrivate: repo.private,
    url: `${state.url}/${repo.owner}/${repo.name}`,
    pullRequest: ({ number }: { number: number }) => {
      see("pull_requests");
      if (repo.pulls.has(number)) return pullNode(state, repo, actor, number);
      throw graphqlFailure("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
    },
    pullRequests: async (page: ConnectionArguments & { states?: string[] }) => {
      see("pull_requests");
      return connection(await pullsOf(state, repo, actor), page);
    },
    issue: async ({ number }: { number: number }) => {
      see("issues");
      const { status, body } = await state.emulate.ask("GET", `${at}/issues/${number}`);
      if (status !== 200)
        throw graphqlFailure("NOT_FOUND", `Could not resolve to an Issue with the number of ${number}.`);
      return issueNode(state, repo, actor, body as Fields & { number: number });
    },
  };
}

async function pullsOf(state: WorldState, repo: RepositoryState, actor: Actor): Promise<Fields[]> {
  const pulls = await Promise.all([...repo.pulls.keys()].map((number) => pullNode(state, repo, actor, number)));
  return pulls.filter(({ closed }) => closed === false);
}

/** Cross-references and closing keywords are read from the pull requests' own words, as GitHub does. */
function issueNode(state: WorldState, repo: RepositoryState, actor: Actor, row: Fields & { number: number }): Fields {
  const mentioning = async (words: string) => {
    const mention = new RegExp(`${words}#${row.number}(?!\\d)`, "i");
    return (await pullsOf(state, repo, actor)).filter(({ title, body }) => mention.test(`${title}\n${body}`));
  };
  return {
    closedByPullRequestsReferences: async (page: ConnectionArguments) =>
      connection(await mentioning("(?:close|fix|resolve)[sd]?e?s? "), page),
    timelineItems: async (page: ConnectionArguments) => {
      const events = (await mentioning("")).map((source) => ({ __typename: "CrossReferencedEvent", source }));
      return connection(events, page);
    },
    __typename: "Issue",
    id: row.node_id,
    databaseId: row.id,
    number: row.number,
    title: row.title,
    body: row.body ?? "",
    bodyHTML: htmlOf(state, String(row.body ?? "")),
    comments: async (page: ConnectionArguments) => {
      const { body } = await state.emulate.ask(
        "GET",
        `/repos/${repo.owner}/${repo.name}/issues/${row.number}/comments?per_page=100`,
      );
      return connection(
        (body as Fields[]).map((one) => ({
          __typename: "IssueComment",
          body: one.body,
          bodyHTML: htmlOf(state, String(one.body)),
        })),
        page,
      );
    },
    url: row.html_url,
    state: String(row.state).toUpperCase(),
    closed: row.state === "closed",
    locked: row.locked,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    author: authorNode(row.user as Account),
  };
}
