import { randomUUID } from "node:crypto";
import { openLocalRunner } from "../../app/local-runner.ts";
import type { CommentsFrom } from "../../data/discussion.ts";
import { isHostRefusal, MagisError } from "../../data/error.ts";
import { readRecord } from "../../data/read-record.ts";
import { type RunRequest, repositoryName, runByHand, runId } from "../../data/run-request.ts";
import { createOpenRepository } from "../../git/open-repository.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { createOpenTokenHost } from "../../github/token-host.ts";
import { createUploads } from "../../github/uploads.ts";
import type { Uploads } from "../../models/language-model.ts";
import { runReport } from "../../run/open-run.ts";
import { type AttachmentReader, snapshotIssue } from "../../run/snapshot-issue.ts";
import { checkRights, publishHere } from "../../workflow/publish-here.ts";
import type { HostedIssue, ResolveAnswer } from "./args.ts";
import { checkOf, chosenBy, type ResolveWork, resolveLocallyAs, runNotes } from "./resolve-work.ts";

/** Later than every existing comment. */
const END_OF_TIME = "9999-12-31T23:59:59Z";

/** Resolves an issue on GitHub as the owner of the token, or as anybody; writes nothing there unless asked to. */
export async function resolveHosted(issue: HostedIssue, work: ResolveWork): Promise<ResolveAnswer> {
  const { config, args, log } = work;
  const { webUrl, apiUrl, token } = config.github;
  const hasToken = token !== undefined;
  // Show only waits for rate limits.
  const quiet = { debug: () => undefined, warn: (_: unknown, message?: string) => message && log.warn({}, message) };
  const openCodeHost = createOpenTokenHost({ token, webUrl, apiUrl, log: quiet });
  const { owner, name, number } = issue;
  const repository = { owner, name, installationId: 0 };
  const id = runId(repository, number, `cli-${randomUUID()}`);
  const host = await saying(issue, hasToken, () => openCodeHost(repository));
  const request = runByHand({
    id,
    repository,
    issue: number,
    actor: host.login,
    hint: args.hint,
    requestedAt: new Date().toISOString(),
  });
  const uploads = createUploads({ webUrl, log });
  if (args.until === "pull request") {
    await saying(issue, hasToken, async () => {
      if ((await host.readIssue(number)).isPullRequest) throw noIssue(number);
      await checkRights(request, host);
    });
    return saying(issue, hasToken, () => publishHosted(request, { host, uploads }, work));
  }

  const [shown, comments, commit] = await saying(issue, hasToken, async () => [
    await host.readIssue(number),
    await host.listComments(number),
    await commitOf(host, args.base),
  ]);
  if (shown.isPullRequest) throw noIssue(number);
  const issueFrom = (from: CommentsFrom, more?: AttachmentReader) =>
    snapshotIssue({ ...request, requestedAt: END_OF_TIME }, shown, comments, { host, from, more });
  const job = {
    issue: await issueFrom("maintainers"),
    issueFrom: (from: CommentsFrom) => issueFrom(from, { uploads, signal: work.signal }),
    id,
    repository,
    name: `${owner}/${name}`,
    requestedAt: request.requestedAt,
    source: { url: host.cloneUrl, commit, token: () => host.cloneToken() },
    ownerReads: host,
  };
  return resolveLocallyAs(job, { openRepository: createOpenRepository(config.clone), uploads }, work);
}

/** Resolves an issue on the real host, and reports on the terminal instead of in a comment. */
async function publishHosted(
  request: RunRequest,
  { host, uploads }: { readonly host: CodeHost; readonly uploads: Uploads },
  work: ResolveWork,
): Promise<ResolveAnswer> {
  const { config, args, log, signal, progress, watcher } = work;
  const open = await openLocalRunner(config);
  const dependencies = open({ openRepository: createOpenRepository(config.clone, log), uploads, log, watcher });
  const job = { request, chosen: chosenBy(work), base: args.base, check: checkOf(work) };
  const result = await publishHere(job, { ...dependencies, host, signal, progress });
  const { id, repository, issue: number, requestedAt } = request;
  const { start, commit, work: made } = readRecord(await dependencies.store.record(id));
  const title = start?.issue.title ?? "";
  const facts = { id, repository: repositoryName(repository), number, title, requestedAt };
  const report = await runReport(dependencies.store, facts);
  return {
    result,
    report,
    patch: Buffer.from(made?.patch ?? ""),
    notes: runNotes(report),
    title: commit?.title,
  };
}

const noIssue = (number: number) => new MagisError("HOST_NOT_FOUND", `#${number} is a pull request, no issue.`);

async function commitOf(host: CodeHost, base: string | undefined): Promise<string> {
  if (base === undefined) return (await host.defaultBranch()).commit;
  const tip = await host.branchTip(base);
  if (tip !== undefined) return tip;
  throw new MagisError("HOST_NOT_FOUND", `There is no branch ${base} in the repository.`);
}

/** Adds to the host's refusals that the token, or its absence, is the likely cause. */
async function saying<T>({ owner, name }: HostedIssue, hasToken: boolean, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isHostRefusal(error)) throw error;
    const advice = hasToken
      ? `Check the name, and that GITHUB_TOKEN is valid and reaches ${owner}/${name}.`
      : `It was asked without a token, as anybody may ask for a public issue some 60 times an hour: check the name, or set GITHUB_TOKEN to a token that may read ${owner}/${name}, or log in with the GitHub CLI (gh auth login).`;
    throw new MagisError(error.code, `${error.message} ${advice}`, error.data, error);
  }
}
