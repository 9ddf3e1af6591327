import { createOpenRepository } from "../../adapters/git/open-repository.ts";
import type { ResolveAnswer } from "../../cli/resolve/args.ts";
import { limitsUnder, readSettings, withChosen } from "../../config/repository/read-settings.ts";
import { branchPrefix } from "../../model/marks.ts";
import { readRecord } from "../../model/read-record.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { FetchImage } from "../../ports/language-model.ts";
import { cleanUp } from "../../workflow/publish/clean-up.ts";
import { rollback } from "../../workflow/publish/rollback.ts";
import { resolveIssue } from "../../workflow/resolve-issue.ts";
import { openSilentRunTools } from "../../workflow/run/open-run.ts";
import { passingSteps, type RunKind, runPhases } from "../../workflow/run/phase-runner.ts";
import { runReport } from "../../workflow/run/run-tools.ts";
import { openLocalRunner } from "../local-runner.ts";
import { checkOf, chosenBy, type ResolveWork, runNotes } from "./resolve-work.ts";

interface HostAccess {
  readonly host: CodeHost;
  readonly fetchImage: FetchImage;
}

/**
 * Runs `resolveIssue` with the real host, but reports on the terminal instead of in a comment. Takes back what an
 * interrupted run has published.
 */
export async function publishHosted(
  asked: RunRequest,
  { host, fetchImage }: HostAccess,
  work: ResolveWork,
): Promise<ResolveAnswer> {
  const { config, args, log, signal, progress, watcher } = work;
  const { owner, name } = asked.repository;
  const open = await openLocalRunner(config);
  const openRepository = createOpenRepository(config.clone, log);
  const dependencies = open({ openRepository, fetchImage, log, watcher });
  const { store } = dependencies;
  const chosen = chosenBy(work);
  const read = await readSettings({
    owner,
    limits: limitsUnder(dependencies.limits, chosen),
    readRepositoryFile: (path) => host.readFile(name, path),
    readOwnerFile: (repository, path) => host.readFile(repository, path),
  });
  if ("faults" in read) {
    const reason = read.faults.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n");
    return answer({ kind: "refused", reason });
  }
  const base = args.base === undefined ? {} : { baseBranch: args.base };
  const request = { ...asked, settings: { ...withChosen(read.settings, chosen), ...base } };
  const prefix = branchPrefix(request.settings.branch, request.issue);
  const [rival] = await host.findOwnPullRequests(prefix, "open");
  if (rival) {
    const reason = `Pull request #${rival.number} is open for this issue: ${rival.url} Merge or close it first.`;
    return answer({ kind: "refused", reason });
  }
  const check = checkOf(work)(read.settings.check);
  const tools = await openSilentRunTools(request, { ...dependencies, openCodeHost: async () => host });
  try {
    const place = { open: async () => tools, step: passingSteps(signal), log, signal };
    const kind: RunKind = {
      ...resolveIssue(request, check),
      cleanUp: (own, ended) => cleanUp(request, own, ended),
    };
    const result = await runPhases(kind, place);
    if (!signal.aborted || result.kind === "published") return await answer(result);
    progress("Cancelled: looking for what was published already, to take it back.");
    return await answer({ kind: "cancelled", by: "you", undone: await rollback(request, tools) });
  } finally {
    tools.close();
  }

  async function answer(result: RunResult): Promise<ResolveAnswer> {
    const { issue: number, requestedAt, id } = asked;
    const { start, commit, work } = readRecord(await store.record(id));
    const facts = { id, repository: `${owner}/${name}`, number, title: start?.issue.title ?? "", requestedAt };
    const report = await runReport(store, facts);
    const patch = Buffer.from(work?.patch ?? "");
    return {
      result,
      report,
      patch,
      notes: runNotes(report),
      title: commit?.title,
    };
  }
}
