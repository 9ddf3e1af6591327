import { formatMoment, plainText } from "../cli/show/document.ts";
import { shortHeadline } from "../cli/show/headline.ts";
import { titleWords } from "../cli/show/markdown.ts";
import { renderBody } from "../cli/show/page.ts";
import { runDocument } from "../cli/show/run-document.ts";
import { runPath } from "../model/dashboard-path.ts";
import { readRun } from "../model/read-record.ts";
import { isUnfinished } from "../model/standing.ts";
import type { RunSummary } from "../ports/runs.ts";
import type { Reply } from "./gate.ts";
import type { PageParts } from "./page-parts.ts";

/** Seconds between two looks at what still changes. */
export const REFRESH_SECONDS = 10;

const LISTED = 100;

/** The latest runs. */
export async function runsPage({ templates, visitor, runs }: PageParts): Promise<Reply> {
  const listed = await runs.latest(LISTED);
  return templates.page("runs", visitor, {
    title: "Runs",
    place: "Runs",
    values: { runs: listed.map(runLine), most: LISTED },
  });
}

/** A run as a line of a list. */
export function runLine(run: RunSummary) {
  const { id, repository, number, title, requestedAt, money } = run;
  const { text, tone } = shortHeadline(run);
  return {
    path: runPath(id),
    name: `${repository}${number === undefined ? "" : `#${number}`}`,
    title: title === "" ? id : plainText(titleWords(title)),
    asked: requestedAt === "" ? "" : formatMoment(requestedAt),
    money: money === 0 ? "" : `$${money.toFixed(2)}`,
    text,
    tone: tone === "plain" && isUnfinished(run.standing) ? "live" : tone,
  };
}

/** One run, as `magis show --html` has it; undefined when there is none that the visitor may see. */
export async function runPage({ templates, visitor, runs }: PageParts, id: string): Promise<Reply | undefined> {
  const report = await runs.report(id);
  if (report === undefined) return undefined;
  // Read like a report of another process: it may have been kept by an earlier version.
  const run = readRun(JSON.parse(JSON.stringify(report)));
  if (run === undefined) return undefined;
  const document = runDocument(run);
  return templates.page("run", visitor, {
    title: plainText(document.title),
    place: "Runs",
    refresh: isUnfinished(run.standing) ? REFRESH_SECONDS : undefined,
    html: { run: renderBody(document) },
  });
}
