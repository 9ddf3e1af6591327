import { MagisError } from "../data/error.ts";
import type { PullAbout } from "./code-host.ts";
import { attempt } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

const PULL = "number state author { login } repository { nameWithOwner }";

const QUERY = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    nameWithOwner
    issue(number: $number) {
      closedByPullRequestsReferences(first: 20) { nodes { ${PULL} } }
      timelineItems(last: 100, itemTypes: [CROSS_REFERENCED_EVENT]) {
        nodes { ... on CrossReferencedEvent { source { ... on PullRequest { ${PULL} } } } }
      }
    }
    pullRequests(states: OPEN, first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { headRefName ${PULL} }
    }
  }
}`;

interface Pull {
  number: number;
  state: string;
  author: { login: string } | null;
  repository: { nameWithOwner: string };
}

/** A source that is an issue has no fields here. */
type Nodes<T> = { nodes: readonly (T | null)[] | null } | null;

interface Answer {
  repository: {
    nameWithOwner: string;
    issue: {
      closedByPullRequestsReferences: Nodes<Pull>;
      timelineItems: Nodes<{ source?: Partial<Pull> | null }>;
    } | null;
    pullRequests: Nodes<Pull & { headRefName: string }>;
  } | null;
}

/**
 * The repository's open pull requests that close or mention an issue, or whose branch is named after it, each once, in
 * order of number. Throws HOST_REFUSED where GitHub does not give the whole answer: nobody can say then that there is
 * none.
 */
export async function pullsAbout(
  { client, owner, repo }: Pick<GithubRepository, "client" | "owner" | "repo">,
  issue: number,
): Promise<readonly PullAbout[]> {
  const action = `look for pull requests about #${issue}`;
  const { repository: found } = await attempt(action, () =>
    client.graphql<Answer>(QUERY, { owner, repo, number: issue }),
  );
  const lists = [found?.issue?.closedByPullRequestsReferences, found?.issue?.timelineItems, found?.pullRequests];
  if (!found || lists.some((list) => !list?.nodes))
    throw new MagisError("HOST_REFUSED", `GitHub refused to ${action}: the answer has gaps.`);
  const pulls = [
    ...nodesOf(found.issue?.closedByPullRequestsReferences),
    ...nodesOf(found.issue?.timelineItems).map(({ source }) => source ?? {}),
    ...nodesOf(found.pullRequests).filter(({ headRefName }) => isNamedAfter(headRefName, issue)),
  ];
  const open = pulls.filter(
    (pull): pull is Pull => pull.state === "OPEN" && pull.repository?.nameWithOwner === found.nameWithOwner,
  );
  const authors = new Map(open.map(({ number, author }) => [number, author?.login ?? "ghost"]));
  return [...authors].map(([number, author]) => ({ number, author })).sort((a, b) => a.number - b.number);
}

const nodesOf = <T>(nodes: Nodes<T> | undefined): readonly T[] => (nodes?.nodes ?? []).filter((node) => node !== null);

const WORDS = "issues?|fix(?:es)?|bug(?:fix)?|hotfix|gh|feat(?:ure)?|close[sd]?|resolve[sd]?";

/** Words before the number that a branch begins with, and the number. */
const NAMED_AFTER = new RegExp(`(?:^|/)(?:(?:${WORDS})[-_/#]*)*(\\d+)(?![\\d.])(?=[-_/]|$)`, "gi");

/** `fix-12`, `ana/issue_12-rounding`, `12-rounding`, but not `release-12` or `v1.12`. */
export function isNamedAfter(branch: string, issue: number): boolean {
  return [...branch.matchAll(NAMED_AFTER)].some(([, number]) => Number(number) === issue);
}
