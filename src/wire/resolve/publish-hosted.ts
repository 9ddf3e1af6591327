import { createOpenRepository } from "../../adapters/git/open-repository.ts";
import type { ResolveAnswer } from "../../cli/resolve/args.ts";
import { readRecord } from "../../model/read-record.ts";
import { type RunRequest, repositoryName } from "../../model/run-request.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { FetchImage } from "../../ports/language-model.ts";
import { publishHere } from "../../workflow/publish-here.ts";
import { runReport } from "../../workflow/run/run-tools.ts";
import { openLocalRunner } from "../local-runner.ts";
import { checkOf, chosenBy, type ResolveWork, runNotes } from "./resolve-work.ts";

/** Resolves an issue on the real host, and reports on the terminal instead of in a comment. */
export async function publishHosted(
  request: RunRequest,
  { host, fetchImage }: { readonly host: CodeHost; readonly fetchImage: FetchImage },
  work: ResolveWork,
): Promise<ResolveAnswer> {
  const { config, args, log, signal, progress, watcher } = work;
  const open = await openLocalRunner(config);
  const dependencies = open({ openRepository: createOpenRepository(config.clone, log), fetchImage, log, watcher });
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
