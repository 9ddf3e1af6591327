import { runPath } from "../data/dashboard-path.ts";
import { readRun } from "../data/read-record.ts";
import { isUnfinished } from "../data/run-status.ts";
import type { WantedRuns } from "../queue/visible.ts";
import { formatMoment, plainText } from "../report/run/document.ts";
import { SHORT_ENDS, shortHeadline } from "../report/run/headline.ts";
import { titleWords } from "../report/run/markdown.ts";
import { renderBody } from "../report/run/page.ts";
import { runDocument } from "../report/run/run-document.ts";
import type { RunSummary } from "../run/runs.ts";
import type { Reply } from "./gate.ts";
import type { PageParts } from "./page-parts.ts";

/** Seconds between two looks at what still changes. */
export const REFRESH_SECONDS = 10;

const LISTED = 100;

/** Characters of one field of the search. */
const LONGEST = 200;

const FIELDS = ["words", "repository", "person", "end"] as const;

/** The latest runs, or of those that the fields of the form leave. */
export async function runsPage({ templates, visitor, runs }: PageParts, query: URLSearchParams): Promise<Reply> {
  const asked = Object.fromEntries(FIELDS.map((field) => [field, query.get(field)?.trim().slice(0, LONGEST) ?? ""]));
  const wanted: WantedRuns = Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== ""));
  const listed = await runs.latest(LISTED, wanted);
  return templates.page("runs", visitor, {
    title: "Runs",
    place: "Runs",
    values: {
      runs: listed.map(runLine),
      most: LISTED,
      asked,
      ends: SHORT_ENDS.map(([kind, words]) => ({ kind, words })),
      isSearch: Object.keys(wanted).length > 0,
    },
  });
}

/** A run as a line of a list. */
export function runLine(run: RunSummary) {
  const { id, repository, number, title, requestedAt, money, pullUrl = "" } = run;
  const { text, tone } = shortHeadline(run);
  return {
    path: runPath(id),
    name: `${repository}${number === undefined ? "" : `#${number}`}`,
    title: title === "" ? id : plainText(titleWords(title)),
    asked: requestedAt === "" ? "" : formatMoment(requestedAt),
    money: money === 0 ? "" : `$${money.toFixed(2)}`,
    text,
    pull: /^https?:\/\//.test(pullUrl) ? pullUrl : "",
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
