import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FileIssue, ResolveAnswer } from "../../cli/resolve/resolve-args.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import { MagisError } from "../../model/magis-error.ts";
import { stripHiddenText } from "../../text/strip-hidden-text.ts";
import { openAnyRepository } from "./open-any-repository.ts";
import { parseIssueText } from "./parse-issue-text.ts";
import { resolveLocallyAs } from "./resolve-locally-as.ts";
import type { ResolveWork } from "./resolve-work.ts";

const MAX_BODY = 60_000;

/** Resolves an issue that is written in a file, on any repository that git can read. */
export async function resolveFile({ repository, file }: FileIssue, work: ResolveWork): Promise<ResolveAnswer> {
  const { args, progress } = work;
  const issue = await readIssue(file, args.hint);
  const opened = await openAnyRepository(repository, args.base, work);
  const { name, source, openRepository, changed } = opened;
  if (changed) progress("The working copy has changes that are not committed: they are not seen.");
  const job = {
    id: `${name}@${randomUUID()}`,
    repository: { owner: "local", name, installationId: 0 },
    ...{ name: repository, issue, source, requestedAt: new Date().toISOString() },
  };
  return resolveLocallyAs(job, { openRepository }, work);
}

async function readIssue(file: string, hint: string): Promise<IssueSnapshot> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new MagisError("CONFIGURATION_INVALID", `The issue ${file} cannot be read (${why}).`, {}, error);
  });
  const issue = parseIssueText(text);
  if (!issue) {
    const message = `The issue ${path.basename(file)} is empty: write what is wrong, the title in its first line.`;
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  return {
    ...{ number: 0, author: "you", url: "", discussion: [], hint },
    title: stripHiddenText(issue.title),
    body: stripHiddenText(issue.body).slice(0, MAX_BODY),
  };
}
