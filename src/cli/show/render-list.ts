import { formatMoney } from "../../model/format-spend.ts";
import type { ShownSummary } from "../command-request.ts";
import { terminalText } from "../terminal-text.ts";
import { wrapText } from "../wrap-text.ts";
import { createPaint } from "./create-paint.ts";
import { endBadge } from "./end-badge.ts";
import { formatMoment } from "./formats.ts";
import type { Terminal } from "./render-terminal.ts";

const INDENT = "  ";

/** The latest runs: when, what, how each ended and what it cost, its title and its id. */
export function renderList(runs: readonly ShownSummary[], { columns, colours }: Terminal): string {
  if (runs.length === 0) return "No run is kept yet.";
  const paint = createPaint(colours);
  const entries = runs.map((run) => {
    const { text, tone } = endBadge(run.end);
    const name = safe(`${run.repository}${run.number === undefined ? "" : `#${run.number}`}`);
    const pull = run.pullRequest === undefined ? "" : ` #${run.pullRequest}`;
    const moment = safe(formatMoment(run.requestedAt)) || "at an unknown time";
    const head = `${moment}  ${paint.bold(name)}  ${paint.tone(tone, `[${safe(text)}${pull}]`)}  ${formatMoney(run.money)}`;
    const title = run.title === "" ? [] : wrapText(safe(run.title), columns - INDENT.length);
    return [head, ...title.map((part) => INDENT + part), INDENT + paint.tone("quiet", safe(run.id))].join("\n");
  });
  return [...entries, "magis show RUN shows one of them, with its id or as OWNER/REPO#N."].join("\n\n");
}

const safe = (text: string) => terminalText(text).replace(/\s+/g, " ").trim();
