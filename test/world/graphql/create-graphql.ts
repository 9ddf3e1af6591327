import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type GraphQLSchema, graphql } from "graphql";
import { accountOf } from "../account-of.ts";
import { projectRoot } from "../project-root.ts";
import { htmlOf } from "../render-body.ts";
import type { Actor, Fields, RepositoryState, WorldState } from "../state.ts";
import { pullMutations, threadMutations } from "./mutations.ts";
import { type ConnectionArguments, connection, pullNode, threadNode } from "./nodes.ts";
import { findThread, graphqlFailure, requireAccess } from "./require-access.ts";

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
      const { login, id } = await accountOf(state, actor.login);
      return { __typename: "User", login, databaseId: id };
    },
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repo = state.repositories.get(`${owner}/${name}`);
      if (repo === undefined)
        throw graphqlFailure("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      requireAccess(actor, repo, { permissions: ["metadata"], level: "read", role: "read" });
      return repositoryNode(state, repo, actor);
    },
    node: ({ id }: { id: string }) => {
      const { repo, thread } = findThread(state, id);
      requireAccess(actor, repo, { permissions: ["pull_requests"], level: "read", role: "read" });
      return threadNode(state, thread);
    },
  };
}

function repositoryNode(state: WorldState, repo: RepositoryState, actor: Actor) {
  const see = (permission: string) =>
    requireAccess(actor, repo, { permissions: [permission], level: "read", role: "read" });
  return {
    nameWithOwner: `${repo.owner}/${repo.name}`,
    pullRequest: ({ number }: { number: number }) => {
      see("pull_requests");
      if (repo.pulls.has(number)) return pullNode(state, repo, number);
      throw graphqlFailure("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
    },
    pullRequests: async (page: ConnectionArguments) => {
      see("pull_requests");
      return connection(await openPulls(state, repo), page);
    },
    issue: async ({ number }: { number: number }) => {
      see("issues");
      const path = `/repos/${repo.owner}/${repo.name}/issues/${number}`;
      const { status, body } = await state.emulate.ask("GET", path);
      if (status !== 200)
        throw graphqlFailure("NOT_FOUND", `Could not resolve to an Issue with the number of ${number}.`);
      return issueNode(state, repo, body as Fields & { number: number });
    },
  };
}

async function openPulls(state: WorldState, repo: RepositoryState): Promise<Fields[]> {
  const pulls = await Promise.all([...repo.pulls.keys()].map((number) => pullNode(state, repo, number)));
  return pulls.filter((pull) => pull.state === "OPEN");
}

/** Cross-references and closing keywords are read from the pull requests' own words, as GitHub does. */
function issueNode(state: WorldState, repo: RepositoryState, row: Fields & { number: number }): Fields {
  const mentioning = async (words: string) => {
    const mention = new RegExp(`${words}#${row.number}(?!\\d)`, "i");
    return (await openPulls(state, repo)).filter(({ title, body }) => mention.test(`${title}\n${body}`));
  };
  return {
    closedByPullRequestsReferences: async (page: ConnectionArguments) =>
      connection(await mentioning("(?:close|fix|resolve)[sd]?e?s? "), page),
    timelineItems: async (page: ConnectionArguments) => {
      const events = (await mentioning("")).map((source) => ({ __typename: "CrossReferencedEvent", source }));
      return connection(events, page);
    },
    url: row.html_url,
    bodyHTML: htmlOf(state, String(row.body ?? "")),
    comments: async (page: ConnectionArguments) => {
      const path = `/repos/${repo.owner}/${repo.name}/issues/${row.number}/comments?per_page=100`;
      const { body } = await state.emulate.ask("GET", path);
      return connection(
        (body as Fields[]).map((one) => ({ bodyHTML: htmlOf(state, String(one.body)) })),
        page,
      );
    },
  };
}
