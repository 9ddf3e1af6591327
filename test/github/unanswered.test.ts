import { describe, expect, it } from "@jest/globals";
import type { CodeHost } from "../../src/github/code-host.ts";
import { fakeHosts } from "./open-fake-host.ts";
import type { Answer } from "./start-fake-github.ts";

/** Questions whose answer keeps something from happening. */
const QUERIES: Readonly<Record<string, (host: CodeHost) => Promise<unknown>>> = {
  "who works on an issue": (host) => host.pullsAbout(5),
  "what is said in review threads": (host) => host.listThreads(5),
  "whether a pull request conflicts": (host) => host.mergeability(5),
};

const READS: Readonly<Record<string, (host: CodeHost) => Promise<unknown>>> = {
  "what a person may do": (host) => host.permissionOf("ada"),
  "what the repository's settings are": (host) => host.readFile("tools", ".github/magis.yml"),
  "which pull requests are the bot's": (host) => host.findOwnPullRequests("magis/", "open"),
  "what the issue is": (host) => host.readIssue(5),
  "what people said": (host) => host.listComments(5),
  "who committed": (host) => host.listCommits(5),
  "how the checks stand": (host) => host.checksOf("1".repeat(40)),
};

const pulls = { nodes: [] };
const WHOLE = {
  repository: {
    nameWithOwner: "octo/tools",
    issue: { closedByPullRequestsReferences: pulls, timelineItems: pulls },
    pullRequests: { ...pulls, reviewThreads: pulls },
    pullRequest: { mergeable: "MERGEABLE", mergeStateStatus: "CLEAN", reviewThreads: { ...pulls, pageInfo: {} } },
  },
};
const PART = { repository: { ...WHOLE.repository, issue: { ...WHOLE.repository.issue, timelineItems: null } } };

const withErrors = (error: object, data: unknown = WHOLE): Answer => ({ body: { data, errors: [error] } });

const PASSING = {
  "a time-out": { message: "Something went wrong while executing your query on 2026-11-28T12:00:00Z." },
  "a time-out in other words": { type: "TIMEOUT", message: "Timeout on validation of query" },
  "too much asked": { type: "RESOURCE_LIMITS_EXCEEDED", message: "Resource limits for this query exceeded." },
  "a service that is away": { type: "SERVICE_UNAVAILABLE", message: "Try later." },
};

const SETTLED = {
  "a node that is not for us": { type: "FORBIDDEN", message: "Resource not accessible by integration" },
  "a missing permission": { type: "INSUFFICIENT_SCOPES", message: "Your token has not been granted it." },
  "a field that is not known": { message: "Field 'x' doesn't exist", extensions: { code: "undefinedField" } },
};

describe("a question that GitHub answers in part or not at all", () => {
  const open = fakeHosts();
  /** Answers GraphQL in turn, and repeats the last. */
  function asking(...answers: Answer[]) {
    let next = 0;
    return open(() => answers[Math.min(next++, answers.length - 1)]);
  }
  const about = Object.entries(QUERIES).map(([what, ask]) => ({ what, ask }));
  /** Each question with one of the errors, and one question with each of them. */
  const across = (errors: Readonly<Record<string, object>>) => {
    const all = Object.entries(errors).map(([why, error]) => ({ why, error }));
    return about.flatMap((one, at) => all.slice(0, at === 0 ? all.length : 1).map((other) => ({ ...one, ...other })));
  };

  it.each(across(PASSING))("is asked again, and not answered from a part: $what, $why", async ({ ask, error }) => {
    const { host, github } = await asking(withErrors(error, PART), { body: { data: WHOLE } });
    await expect(ask(host)).resolves.toBeDefined();
    expect(github.calls()).toHaveLength(2);
  });

  it("is given up after four attempts", async () => {
    const { host, github } = await asking(withErrors(PASSING["a time-out"]));
    await expect(host.pullsAbout(5)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(github.calls()).toHaveLength(4);
  });

  it.each(across(SETTLED))("is refused as a whole, and asked once: $what, $why", async ({ ask, error }) => {
    const { host, github } = await asking(withErrors(error));
    await expect(ask(host)).rejects.toMatchObject({ code: "HOST_REFUSED" });
    expect(github.calls()).toHaveLength(1);
  });

  it.each([{ repository: null }, { repository: { ...WHOLE.repository, issue: null } }, PART])(
    "has no answer with gaps: who works on an issue, %j",
    async (data) => {
      const { host } = await asking({ body: { data } });
      await expect(host.pullsAbout(5)).rejects.toMatchObject({ code: "HOST_REFUSED" });
    },
  );

  it.each(Object.entries(READS))("is an error where GitHub refuses it: %s", async (_, ask) => {
    const { host } = await asking({ status: 403, body: { message: "Resource not accessible by integration" } });
    await expect(ask(host)).rejects.toMatchObject({ code: "HOST_REFUSED" });
  });
});
