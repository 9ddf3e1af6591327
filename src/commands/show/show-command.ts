import { readFile } from "node:fs/promises";
import { openOwnRuns, ownStateFolder } from "../../app/own-state.ts";
import { answerShow, type CommandAnswer, faultOf, LISTED, type ShownSummary, sendRequest } from "../../app/requests.ts";
import { isMagisError } from "../../data/error.ts";
import { fileFault } from "../../data/file-faults.ts";
import { readRun, type ShownRun } from "../../data/read-record.ts";
import { formatMoney } from "../../data/spend.ts";
import { writeWhole } from "../../data/write-whole.ts";
import { formatMoment } from "../../report/run/document.ts";
import { shortHeadline } from "../../report/run/headline.ts";
import { workingEnvFile } from "../../settings/environment/own-env-file.ts";
import { namesDatabase } from "../../settings/environment/read-config.ts";
import { LARGEST_RECORD, parseJson } from "../../text/bounded.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import { jsonText, wrapText } from "../../text/terminal-text.ts";
import type { CliCommand, CliContext, CliInput, CliOption, CliResult } from "../cli-command.ts";

/** `OWNER/REPO#N`, a run's id or the start of one, or an id of a command-line run. Anything else is a file. */
const KEPT = /^[^/#\s]+\/[^/#\s]+#\d+(@.*)?$|^[\w.-]+@[0-9a-f]{8}$/;

const PARTS = ["issue", "candidates", "plan", "code", "proof", "result", "calls"] as const;

const SHOW_OPTIONS = [
  { name: "html", argument: "FILE", description: "write it as one self-contained page instead" },
  { name: "open", description: "open that page in the browser" },
  { name: "json", description: "print it as JSON, for programs" },
  { name: "part", argument: "PART", description: "show one part only", choices: PARTS },
] as const satisfies readonly CliOption[];

type ShowInput = CliInput<typeof SHOW_OPTIONS>;

/**
 * `magis show [RUN]`: a run's record, role by role, on the terminal, as a page or as JSON; without RUN, the latest runs.
 */
export const showCommand: CliCommand<typeof SHOW_OPTIONS> = {
  waiting: "reading what is kept",
  examples: ["show acme/shop#12", "show acme/shop#12 --open"],
  options: SHOW_OPTIONS,
  async run(input, context) {
    const fault = wrongUsage(input);
    if (fault !== undefined) return { exitCode: 2, text: fault };
    const { operand: name } = input;
    if (name === undefined) return list(input, context);
    const found = KEPT.test(name) ? await findKept(name, context) : await readReport(name);
    return "fault" in found ? { exitCode: 1, text: found.fault } : show(found, input, context);
  },
};

function wrongUsage({ operand, options: { html, json, part, open } }: ShowInput): string | undefined {
  const ofOne = html ?? part ?? open;
  if (operand === undefined && ofOne !== undefined) return "--html, --open and --part need a run: magis show RUN";
  return json && ofOne !== undefined ? "--json is given alone." : undefined;
}

async function list({ options }: ShowInput, context: CliContext): Promise<CliResult> {
  const answer = await showRuns(undefined, context);
  if (!("runs" in answer)) return { exitCode: 1, text: faultOf(answer) };
  if (options.json) return { exitCode: 0, text: "", output: jsonText(answer.runs) };
  return { exitCode: 0, text: await renderList(answer.runs, context) };
}

type Found = { report: unknown; run: ShownRun } | { fault: string };

async function findKept(name: string, context: CliContext): Promise<Found> {
  const answer = await showRuns(name, context);
  if (!("report" in answer)) return { fault: faultOf(answer) };
  if (answer.report === null)
    return { fault: `No run of that name is kept: ${name}. magis show lists the latest runs.` };
  const run = readRun(answer.report);
  return run ? { report: answer.report, run } : { fault: faultOf(answer) };
}

/**
 * Answers `show` from the command line's own runs, and from the bot's database if its place is configured: lists both,
 * labelled, or shows the latest run of an issue. Throws what `sendRequest` throws, unless the command line's own runs
 * are enough.
 */
async function showRuns(run: string | undefined, context: CliContext): Promise<CommandAnswer> {
  const { environment, log } = context;
  const here = await ownRuns(run, context);
  const isHere = "runs" in here ? here.runs.length > 0 : here.report !== null;
  if (!namesDatabase(workingEnvFile(environment, ownStateFolder(environment)), environment))
    return isHere ? here : { fault: noneHere(run) };
  const there = await sendRequest({ command: "show", run }, context).catch((error: unknown) => {
    if (!isMagisError(error) || !isHere) throw error;
    return { fault: error.message };
  });
  if (!isHere) return there;
  if (!("fault" in there)) return both(here, there);
  log.warn({}, there.fault);
  return here;
}

async function ownRuns(run: string | undefined, { environment, log }: CliContext): ReturnType<typeof answerShow> {
  const own = openOwnRuns(environment, (sentence) => log.warn({}, sentence));
  if (own === undefined) return { runs: [] };
  const answer = await answerShow(run, own);
  return "runs" in answer ? { runs: answer.runs.map((one) => ({ ...one, place: HERE })) } : answer;
}

/** Merges both answers: the runs of both lists, latest first, or the later of two runs. */
function both(here: CommandAnswer, there: CommandAnswer): CommandAnswer {
  if ("runs" in here && "runs" in there) {
    const runs = [...here.runs, ...there.runs].sort((a, b) => b.requestedAt.localeCompare(a.requestedAt));
    return { runs: runs.slice(0, LISTED) };
  }
  if (!("report" in here) || !("report" in there) || there.report === null) return here;
  const isLater = String(there.report.requestedAt) > String(here.report?.requestedAt);
  return isLater ? there : here;
}

/** Labels a run of the command line in a list. */
const HERE = "on the command line";

function noneHere(run: string | undefined): string {
  const what =
    run === undefined ? "No run of the command line is kept yet" : `No run of that name is kept here: ${run}`;
  return `${what}. Runs of the bot are in its database: set MAGIS_DATA_DIR or DATABASE_URL as the bot has it.`;
}

/** A run from a file. */
async function readReport(file: string): Promise<Found> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    return { fault: `${file} cannot be read: ${fileFault(error)}. A kept run is named OWNER/REPO#N or by its id.` };
  }
  const read = parseJson(text, LARGEST_RECORD);
  const run = read.fault === undefined ? readRun(read.value) : undefined;
  if (read.fault === undefined && run) return { report: read.value, run };
  const why = read.fault === undefined ? "" : ` (${terminalText(read.fault)})`;
  const fault = `${file} does not hold a run's record, as magis show --json and magis resolve --record write it${why}.`;
  return { fault };
}

async function show(
  { report, run }: Exclude<Found, { fault: string }>,
  { options }: ShowInput,
  context: CliContext,
): Promise<CliResult> {
  if (options.json) return { exitCode: 0, text: "", output: jsonText(report) };
  // Load the Markdown reader and the page writer only when needed.
  const { runDocument } = await import("../../report/run/run-document.ts");
  const whole = runDocument(run);
  const sections = whole.sections.filter(({ id }) => options.part === undefined || id === options.part);
  if (sections.length === 0) return { exitCode: 1, text: `Nothing of the part ${options.part} is kept of this run.` };
  const document = { ...whole, sections };
  const { html, open } = options;
  if (html === undefined && !open) {
    const { renderTerminal, terminalOf } = await import("./render-terminal.ts");
    return { exitCode: 0, text: renderTerminal(document, terminalOf(context)) };
  }
  const { renderPage } = await import("../../report/run/page.ts");
  const page = renderPage(document);
  try {
    if (html !== undefined) await writeWhole(html, page);
  } catch (error) {
    return { exitCode: 1, text: `${html} cannot be written: ${fileFault(error)}.` };
  }
  if (!open) return { exitCode: 0, text: `Wrote ${html}.` };
  const { openPage } = await import("./open-page.ts");
  return { exitCode: 0, text: await openPage(page, html) };
}

const INDENT = "  ";

/** The latest runs: date, number, end, cost, title and id. */
async function renderList(runs: readonly ShownSummary[], context: CliContext): Promise<string> {
  if (runs.length === 0) return "No run is kept yet.";
  const { createPaint, terminalOf } = await import("./render-terminal.ts");
  const { columns, colours } = terminalOf(context);
  const paint = createPaint(colours);
  const entries = runs.map((run) => {
    const { text, tone } = shortHeadline(run);
    const name = safe(`${run.repository}${run.number === undefined ? "" : `#${run.number}`}`);
    const moment = safe(formatMoment(run.requestedAt)) || "at an unknown time";
    const place = run.place === undefined ? "" : `  ${paint.tone("quiet", safe(run.place))}`;
    const head = `${moment}  ${paint.bold(name)}  ${paint.tone(tone, `[${safe(text)}]`)}  ${formatMoney(run.money)}${place}`;
    const title = run.title === "" ? [] : wrapText(safe(run.title), columns - INDENT.length);
    return [head, ...title.map((part) => INDENT + part), INDENT + paint.tone("quiet", safe(run.id))].join("\n");
  });
  return [...entries, "magis show RUN shows one of them, with its id or as OWNER/REPO#N."].join("\n\n");
}

const safe = (text: string) => terminalText(text).replace(/\s+/g, " ").trim();
