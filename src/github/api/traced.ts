import { inSpan, type Traces } from "../../ports/traces.ts";

/** Words of GitHub's own in paths. Everything else may be a name: of a repository, a branch, a file or a person. */
const WORDS = new Set(
  (
    "access_tokens api app artifacts assignees blobs branches check-runs check-suites collaborators comments commits " +
    "compare contents files git graphql installation installations issues jobs labels logs merge merges permission " +
    "pulls reactions ref refs replies repos repositories reviews runs status statuses tags timeline trees user v3 zip " +
    "annotations actions heads matching-refs requested_reviewers update-branch"
  ).split(" "),
);

/** `/repos/{}/{}/issues/{}/comments`: a path without anything that names somebody or something. */
export function routeOf(path: string): string {
  const parts = path.split("/");
  const at = parts.indexOf("repos");
  // A repository may be called like a word of GitHub's.
  const isName = (index: number) => at >= 0 && (index === at + 1 || index === at + 2);
  return parts.map((part, index) => (part === "" || (WORDS.has(part) && !isName(index)) ? part : "{}")).join("/");
}

/** The same `fetch`, with a span for each request. */
export function traced(send: typeof fetch, traces: Traces | undefined): typeof fetch {
  if (traces === undefined) return send;
  return (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    return inSpan(traces, { kind: "GitHub request", method, route: routeOf(address.pathname) }, async (end) => {
      const response = await send(input, init);
      end({ status: response.status });
      return response;
    });
  };
}
