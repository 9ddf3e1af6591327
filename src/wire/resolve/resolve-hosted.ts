import { randomUUID } from "node:crypto";
import { createOpenRepository } from "../../adapters/git/open-repository.ts";
import type { HostedIssue, ResolveAnswer } from "../../cli/resolve/args.ts";
import { createFetchImage } from "../../github/api/images.ts";
import { createOpenTokenHost } from "../../github/api/token-host.ts";
import type { CommentsFrom } from "../../model/discussion.ts";
import { isHostRefusal, MagisError } from "../../model/error.ts";
import { runByHand, runId } from "../../model/run-request.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import { checkRights } from "../../workflow/publish-here.ts";
import { snapshotIssue } from "../../workflow/run/snapshot-issue.ts";
import { publishHosted } from "./publish-hosted.ts";
import { type ResolveWork, resolveLocallyAs } from "./resolve-work.ts";

/** Later than every existing comment. */
const END_OF_TIME = "9999-12-31T23:59:59Z";

/** Resolves an issue on GitHub as the owner of `token`; writes nothing there unless asked to. */
export async function resolveHosted(issue: HostedIssue, token: string, work: ResolveWork): Promise<ResolveAnswer> {
  const { config, args, log } = work;
  const { webUrl, apiUrl } = config.github;
  // Show only waits for rate limits.
  const quiet = { debug: () => undefined, warn: (_: unknown, message?: string) => message && log.warn({}, message) };
  const openCodeHost = createOpenTokenHost({ token, webUrl, apiUrl, log: quiet });
  const { owner, name, number } = issue;
  const repository = { owner, name, installationId: 0 };
  const id = runId(repository, number, `cli-${randomUUID()}`);
  const host = await saying(issue, () => openCodeHost(repository));
  const request = runByHand({
    id,
    repository,
    issue: number,
    actor: host.login,
    hint: args.hint,
    requestedAt: new Date().toISOString(),
  });
  const fetchImage = createFetchImage({ webUrl, log });
  if (args.until === "pull request") {
    await saying(issue, async () => {
      if ((await host.readIssue(number)).isPullRequest) throw noIssue(number);
      await checkRights(request, host);
    });
    return saying(issue, () => publishHosted(request, { host, fetchImage }, work));
  }

  const [shown, comments, commit] = await saying(issue, async () => [
    await host.readIssue(number),
    await host.listComments(number),
    await commitOf(host, args.base),
  ]);
  if (shown.isPullRequest) throw noIssue(number);
  const issueFrom = (from: CommentsFrom) =>
    snapshotIssue({ ...request, requestedAt: END_OF_TIME }, shown, comments, from);
  const job = {
    issue: await issueFrom("maintainers"),
    issueFrom,
    id,
    repository,
    name: `${owner}/${name}`,
    requestedAt: request.requestedAt,
    source: { url: host.cloneUrl, commit, token: () => host.cloneToken() },
    readOwnerFile: (other: string, path: string) => host.readFile(other, path),
  };
  return resolveLocallyAs(job, { openRepository: createOpenRepository(config.clone), fetchImage }, work);
}

const noIssue = (number: number) => new MagisError("HOST_NOT_FOUND", `#${number} is a pull request, no issue.`);

async function commitOf(host: CodeHost, base: string | undefined): Promise<string> {
  if (base === undefined) return (await host.defaultBranch()).commit;
  const tip = await host.branchTip(base);
  if (tip !== undefined) return tip;
  throw new MagisError("HOST_NOT_FOUND", `There is no branch ${base} in the repository.`);
}

/** Adds to the host's refusals that the token is the likely cause. */
async function saying<T>({ owner, name }: HostedIssue, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isHostRefusal(error)) throw error;
    const advice = `Check the name, and that GITHUB_TOKEN is valid and reaches ${owner}/${name}.`;
    throw new MagisError(error.code, `${error.message} ${advice}`, error.data, error);
  }
}
