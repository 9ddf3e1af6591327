import { randomUUID } from "node:crypto";
import { openLocalRunner } from "../../app/local-runner.ts";
import { isHostRefusal, MagisError } from "../../data/error.ts";
import { readRecord } from "../../data/read-record.ts";
import { type RunRequest, repositoryName, runByHand, runId } from "../../data/run-request.ts";
import { createOpenRepository } from "../../git/open-repository.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { createUploads } from "../../github/uploads.ts";
import type { Uploads } from "../../models/language-model.ts";
import { runReport } from "../../run/open-run.ts";
import { checkRights, publishHere } from "../../workflow/publish-here.ts";
import { hostedJob, openTokenHost, readIssueOnly } from "../hosted-job.ts";
import type { HostedIssue, ResolveAnswer } from "./args.ts";
import { checkOf, chosenBy, type ResolveWork, resolveLocallyAs, runNotes } from "./resolve-work.ts";

/** Later than every comment, whatever this machine's clock says. */
const END_OF_TIME = "9999-12-31T23:59:59Z";

/** Resolves an issue on GitHub as the owner of the token, or as anybody; writes nothing there unless asked to. */
export async function resolveHosted(issue: HostedIssue, work: ResolveWork): Promise<ResolveAnswer> {
  const { config, args, log, signal } = work;
  const { webUrl, token } = config.github;
  const { base, hint = "", "open-pr": publishes } = args.options;
  const hasToken = token !== undefined;
  const { owner, name, number } = issue;
  const repository = { owner, name, installationId: 0 };
  const host = await saying(issue, hasToken, () => openTokenHost(config, log)(repository));
  const request = runByHand({
    id: runId(repository, number, `cli-${randomUUID()}`),
    repository,
    issue: number,
    actor: host.login,
    hint,
    requestedAt: new Date().toISOString(),
  });
  const uploads = createUploads({ webUrl, log });
  if (publishes) {
    return saying(issue, hasToken, async () => {
      await readIssueOnly(number, host);
      await checkRights(request, host);
      return publishHosted(request, { host, uploads }, work);
    });
  }
  const { requestedAt } = request;
  const latest = { ...request, requestedAt: END_OF_TIME };
  const job = await saying(issue, hasToken, () => hostedJob(latest, host, { base, uploads, signal }));
  return resolveLocallyAs(
    { ...job, requestedAt },
    { openRepository: createOpenRepository(config.clone), uploads },
    work,
  );
}

/** Resolves an issue on the real host, and reports on the terminal instead of in a comment. */
async function publishHosted(
  request: RunRequest,
  { host, uploads }: { host: CodeHost; uploads: Uploads },
  work: ResolveWork,
): Promise<ResolveAnswer> {
  const { config, args, log, signal, progress, watcher } = work;
  const open = await openLocalRunner(config);
  const dependencies = open({ openRepository: createOpenRepository(config.clone, log), uploads, log, watcher });
  const job = { request, chosen: chosenBy(work), base: args.options.base, check: checkOf(work) };
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
