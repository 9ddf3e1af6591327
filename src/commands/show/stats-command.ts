import { faultOf, sendRequest } from "../../app/requests.ts";
import type { LedgerStats } from "../../queue/ledger-port.ts";
import {
  type Fact,
  factsOf,
  figuresTable,
  formatCount,
  paragraph,
  type RunDocument,
  type Section,
} from "../../report/run/document.ts";
import { figure } from "../../text/counted.ts";
import { jsonText } from "../../text/terminal-text.ts";
import type { CliCommand, CliOption } from "../cli-command.ts";

const STATS_OPTIONS = [
  { name: "json", description: "print it as JSON, for programs" },
] as const satisfies readonly CliOption[];

/** `magis stats`: what became of the bot's runs and pull requests. */
export const statsCommand: CliCommand<typeof STATS_OPTIONS> = {
  waiting: "adding up",
  options: STATS_OPTIONS,
  async run({ options: { json } }, context) {
    const answer = await sendRequest({ command: "stats" }, context);
    if (!("stats" in answer)) return { exitCode: 1, text: faultOf(answer) };
    const { stats } = answer;
    if (json) return { exitCode: 0, text: "", output: jsonText(stats) };
    if (stats.outcomes.length === 0 && stats.running.runs === 0) return { exitCode: 0, text: "No run has begun yet." };
    const { renderTerminal, terminalOf } = await import("./render-terminal.ts");
    return { exitCode: 0, text: renderTerminal(statsDocument(stats), terminalOf(context)) };
  },
};

/** The figures with the caveats of a merge rate. */
export const statsDocument = (stats: LedgerStats): RunDocument => ({
  title: "What became of the runs",
  subtitle: "All runs in the ledger; magis costs has what they cost by month, repository, person or model.",
  sections: [runsSection(stats), pullsSection(stats), mediansSection(stats)],
});

const dollars = (money: number) => `$${money.toFixed(2)}`;

function runsSection({ outcomes, running }: LedgerStats): Section {
  const runs = outcomes.reduce((sum, one) => sum + one.runs, 0);
  const money = outcomes.reduce((sum, one) => sum + one.money, 0);
  const rows = [
    ...outcomes.map((one) => [one.outcome, formatCount(one.runs), dollars(one.money)]),
    ["total", formatCount(runs), dollars(money)],
  ];
  const ended = figuresTable(["outcome", "runs", "cost"], rows);
  const now = `${figure(running.runs, "run")} at work, with ${dollars(running.setAside)} set aside.`;
  return { id: "runs", title: "Runs", body: running.runs > 0 ? [ended, paragraph(now)] : [ended] };
}

function pullsSection({ pulls, outcomes, proofs }: LedgerStats): Section {
  const { open, merged, reverted, closed } = pulls;
  const money = outcomes.reduce((sum, one) => sum + one.money, 0);
  const decided = merged + reverted + closed;
  const rate = decided === 0 ? "" : `${Math.round((100 * merged) / decided)} % (${merged} of ${decided} decided)`;
  const facts: Fact[] = [
    ["Pull requests", formatCount(open + decided)],
    ["Merged", formatCount(merged)],
    ["Merged and later reverted", reverted === 0 ? "" : formatCount(reverted)],
    ["Closed unmerged", formatCount(closed)],
    ["Open, or no longer watched", formatCount(open)],
    ["Merge rate", rate],
    ["Cost of all runs per merged pull request", merged === 0 ? "" : dollars(money / merged)],
    ["Fixes proved by their test", provedOf(proofs)],
  ];
  return { id: "pulls", title: "Pull requests", body: [...factsOf(facts), ...caveats(decided)] };
}

function provedOf({ proved, unproved }: LedgerStats["proofs"]): string {
  return proved + unproved === 0 ? "" : `${proved} of ${proved + unproved}`;
}

/** Below so many decisions a single one moves the rate by more than 5 %. */
const FEW = 20;

function caveats(decided: number) {
  if (decided === 0) return [];
  const few = decided < FEW ? ` With ${figure(decided, "decision")} the rate also says little.` : "";
  const text =
    "The merge rate is no measure of quality by itself: people also close right changes (somebody was faster, plans changed), merge what they mend first, and have yet to decide on what is open.";
  return [paragraph(text + few, "quiet")];
}

function mediansSection({ medians, pulls, linesKnown }: LedgerStats): Section {
  const shown = (value: number | undefined, form: (value: number) => string) =>
    value === undefined ? "" : form(value);
  const number = (value: number) => formatCount(value);
  const facts: Fact[] = [
    ["Cost of a run", shown(medians.runCost, dollars)],
    ["Cost of a merged pull request, with later work on it", shown(medians.mergedCost, dollars)],
    ["Time of a run, with its waits for checks", shown(medians.runTime, span)],
    ["From the request to the pull request", shown(medians.timeToPull, span)],
    ["From the pull request to its merge", shown(medians.timeToMerge, span)],
    ["Rounds of review by the agents", shown(medians.rounds, number)],
    ["Comments of people in threads, when merged", shown(medians.reviewComments, number)],
    [
      `Lines that people changed before they merged (known of ${linesKnown} of ${pulls.merged})`,
      shown(medians.linesAfter, number),
    ],
  ];
  return { id: "medians", title: "Medians", body: factsOf(facts) };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds as people say them: `40 s`, `12 min`, `3.5 h`, `2.1 days`. */
function span(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < DAY_MS ? `${(ms / HOUR_MS).toFixed(1)} h` : `${(ms / DAY_MS).toFixed(1)} days`;
}
