import { readRun, type ShownRun } from "../../model/read-record.ts";
import { formatMoney } from "../../model/spend.ts";
import { LARGEST_RECORD, parseJson } from "../../text/bounded.ts";
import type { CliCommand, CliInput, CliOption, CliResult } from "../cli-command.ts";
import { type CommandAnswer, type CommandRequest, faultOf, type ShownSummary } from "../requests.ts";
import { jsonText, terminalText, wrapText } from "../terminal-text.ts";
import { formatMoment } from "./document.ts";
import { shortHeadline } from "./headline.ts";
import type { Terminal } from "./render-terminal.ts";

/** What the command needs from its environment. */
export interface ShowServices {
  /** Throws a MagisError when it can reach neither the running bot nor the database. */
  send(request: CommandRequest): Promise<CommandAnswer>;
  /** The text of a file; when it cannot be read, a sentence that says why. */
  readText(file: string): Promise<{ readonly text: string } | { readonly fault: string }>;
  /** Writes a whole file or nothing; gives a sentence when that failed. */
  writeText(file: string, text: string): Promise<{ readonly fault: string } | undefined>;
  /** Opens a page in the browser, from `file` if it is in one; gives a sentence that says where it is. */
  openPage(html: string, file?: string): Promise<string>;
  readonly terminal: Terminal;
}

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
 * `magis show [RUN]`: a run's record, role by role, on the terminal, as a page or as JSON; without RUN, the latest
 * runs. Calls `open` once the command line is valid.
 */
export function createShowCommand(open: () => Promise<ShowServices>): CliCommand<typeof SHOW_OPTIONS> {
  return {
    name: "show",
    waiting: "reading what is kept",
    description: "show how a run came about, or list the latest runs",
    operand: { name: "RUN", description: "its id, OWNER/REPO#N or a JSON file", required: false },
    examples: ["show acme/shop#12", "show acme/shop#12 --open"],
    options: SHOW_OPTIONS,
    async run(input) {
      const fault = wrongUsage(input);
      if (fault !== undefined) return { exitCode: 2, text: fault };
      const services = await open();
      const { operand: name } = input;
      if (name === undefined) return list(services, input);
      const found = KEPT.test(name) ? await ask(name, services) : await read(name, services);
      return "fault" in found ? { exitCode: 1, text: found.fault } : show(found, input, services);
    },
  };
}

function wrongUsage({ operand, options: { html, json, part, open } }: ShowInput): string | undefined {
  const ofOne = html ?? part ?? open;
  if (operand === undefined && ofOne !== undefined) return "--html, --open and --part need a run: magis show RUN";
  return json && ofOne !== undefined ? "--json is given alone." : undefined;
}

async function list({ send, terminal }: ShowServices, { options }: ShowInput): Promise<CliResult> {
  const answer = await send({ command: "show" });
  if (!("runs" in answer)) return { exitCode: 1, text: faultOf(answer) };
  if (options.json) return { exitCode: 0, text: "", output: jsonText(answer.runs) };
  return { exitCode: 0, text: await renderList(answer.runs, terminal) };
}

type Found = { readonly report: unknown; readonly run: ShownRun } | { readonly fault: string };

async function ask(name: string, { send }: ShowServices): Promise<Found> {
  const answer = await send({ command: "show", run: name });
  if (!("report" in answer)) return { fault: faultOf(answer) };
  if (answer.report === null)
    return { fault: `No run of that name is kept: ${name}. magis show lists the latest runs.` };
  const run = readRun(answer.report);
  return run ? { report: answer.report, run } : { fault: faultOf(answer) };
}

async function read(file: string, { readText }: ShowServices): Promise<Found> {
  const content = await readText(file);
  if ("fault" in content) return content;
  const read = parseJson(content.text, LARGEST_RECORD);
  const run = read.fault === undefined ? readRun(read.value) : undefined;
  if (read.fault === undefined && run) return { report: read.value, run };
  const why = read.fault === undefined ? "" : ` (${terminalText(read.fault)})`;
  const fault = `${file} does not hold a run's record, as magis show --json and magis resolve --record write it${why}.`;
  return { fault };
}

async function show(
  { report, run }: Exclude<Found, { fault: string }>,
  { options }: ShowInput,
  services: ShowServices,
): Promise<CliResult> {
  if (options.json) return { exitCode: 0, text: "", output: jsonText(report) };
  // Load the Markdown reader and the page writer only when needed.
  const { runDocument } = await import("./run-document.ts");
  const whole = runDocument(run);
  const sections = whole.sections.filter(({ id }) => options.part === undefined || id === options.part);
  if (sections.length === 0) return { exitCode: 1, text: `Nothing of the part ${options.part} is kept of this run.` };
  const document = { ...whole, sections };
  const { html, open } = options;
  if (html === undefined && !open) {
    const { renderTerminal } = await import("./render-terminal.ts");
    return { exitCode: 0, text: renderTerminal(document, services.terminal) };
  }
  const { renderPage } = await import("./page.ts");
  const page = renderPage(document);
  const failed = html === undefined ? undefined : await services.writeText(html, page);
  if (failed) return { exitCode: 1, text: failed.fault };
  return { exitCode: 0, text: open ? await services.openPage(page, html) : `Wrote ${html}.` };
}

const INDENT = "  ";

/** The latest runs: date, number, end, cost, title and id. */
async function renderList(runs: readonly ShownSummary[], { columns, colours }: Terminal): Promise<string> {
  if (runs.length === 0) return "No run is kept yet.";
  const { createPaint } = await import("./render-terminal.ts");
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
