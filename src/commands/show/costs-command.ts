import { faultOf, sendRequest } from "../../app/requests.ts";
import { COST_GROUPS, type CostGroup, type CostLine } from "../../queue/ledger-port.ts";
import { figuresTable, formatCount, type RunDocument } from "../../report/run/document.ts";
import { jsonText } from "../../text/terminal-text.ts";
import type { CliCommand, CliOption } from "../cli-command.ts";

const COSTS_OPTIONS = [
  {
    name: "by",
    argument: "WHAT",
    description: "sum by repo, org, month (the default), person or model",
    choices: COST_GROUPS,
  },
  { name: "json", description: "print it as JSON, for programs" },
  { name: "csv", description: "print it as CSV, for spreadsheets" },
] as const satisfies readonly CliOption[];

/** `magis costs`: what all runs of the bot have cost. */
export const costsCommand: CliCommand<typeof COSTS_OPTIONS> = {
  waiting: "adding up",
  examples: ["costs --by repo", "costs --csv"],
  options: COSTS_OPTIONS,
  async run({ options: { by = "month", json, csv } }, context) {
    if (json && csv) return { exitCode: 2, text: "Give --json or --csv, not both." };
    const answer = await sendRequest({ command: "costs", by }, context);
    if (!("costs" in answer)) return { exitCode: 1, text: faultOf(answer) };
    const { costs } = answer;
    if (json) return { exitCode: 0, text: "", output: jsonText(costs) };
    if (csv) return { exitCode: 0, text: "", output: costsCsv(costs, by) };
    if (costs.length === 0) return { exitCode: 0, text: "No run has begun yet." };
    const { renderTerminal, terminalOf } = await import("./render-terminal.ts");
    return { exitCode: 0, text: renderTerminal(costsDocument(costs, by), terminalOf(context)) };
  },
};

/** `month` is that in which the run began, in UTC. */
const NAMES: Readonly<Record<CostGroup, string>> = {
  repo: "repository",
  org: "organisation",
  month: "month",
  person: "person",
  model: "model",
};

/** The costs as a table, with a sum. */
export function costsDocument(costs: readonly CostLine[], by: CostGroup): RunDocument {
  const hasPulls = by !== "model";
  const head = [NAMES[by], "runs", "calls", "tokens", "cost", ...(hasPulls ? ["pull requests", "merged"] : [])];
  const rows = [...costs.map(cellsOf), ...(costs.length > 1 ? [cellsOf(sumOf(costs, by))] : [])];
  const shown = figuresTable(head, rows);
  const subtitle = "A run counts in the month in which it began, in UTC.";
  return { title: `Costs by ${NAMES[by]}`, subtitle, sections: [{ id: "costs", title: "Ended runs", body: [shown] }] };
}

function cellsOf({ name, runs, calls, tokens, money, opened, merged }: CostLine): readonly string[] {
  const pulls = [opened, merged].flatMap((number) => (number === undefined ? [] : [formatCount(number)]));
  const shown = name === "" ? "(forgotten)" : name;
  return [shown, formatCount(runs), formatCount(calls), formatCount(tokens), `$${money.toFixed(2)}`, ...pulls];
}

/** A run that asked two models counts once with each, so by model nobody can add up the runs. */
function sumOf(costs: readonly CostLine[], by: CostGroup): CostLine {
  const sum = (of: "runs" | "calls" | "tokens" | "money" | "opened" | "merged") =>
    costs.reduce((all, line) => all + (line[of] ?? 0), 0);
  const pulls = by === "model" ? {} : { opened: sum("opened"), merged: sum("merged") };
  return {
    name: "total",
    runs: sum("runs"),
    calls: sum("calls"),
    tokens: sum("tokens"),
    money: sum("money"),
    ...pulls,
  };
}

/** RFC 4180, in UTF-8. A name that a spreadsheet would take for a formula gets an apostrophe. */
export function costsCsv(costs: readonly CostLine[], by: CostGroup): string {
  const pulls = by === "model" ? [] : ["pull_requests", "merged"];
  const rows = costs.map(({ name, runs, calls, tokens, money, opened, merged }) => {
    const own = by === "model" ? [] : [opened ?? 0, merged ?? 0];
    return [/^[=+\-@\t\r]/.test(name) ? `'${name}` : name, runs, calls, tokens, money.toFixed(6), ...own];
  });
  const line = (cells: readonly unknown[]) => cells.map((cell) => quoted(String(cell))).join(",");
  return [[NAMES[by], "runs", "calls", "tokens", "usd", ...pulls], ...rows]
    .map((cells) => `${line(cells)}\r\n`)
    .join("");
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
