import type { ShownCall, ShownRun } from "../../data/read-record.ts";
import { criticalPath, formatTime } from "../../data/spend.ts";
import { lookupsIn } from "../../models/language-model.ts";
import { figure } from "../../text/counted.ts";
import { lookupText, withoutCode } from "./call-text.ts";
import { type Fact, factsOf, figures, formatCount, h, joined, listOf, type Section, table } from "./document.ts";

/** What the calls to the model used, in total and by prompt; the look-ups, and the failures. */
export function callsSection({ calls }: ShownRun): Section | undefined {
  if (calls.length === 0) return undefined;
  const byPrompt = countByPrompt(calls);
  const all = sumOf([...byPrompt.values()]);
  const columns = COLUMNS.filter(({ head }) => head !== "Failed" || all.lost > 0);
  const row = (name: string, used: Figures) => figures("td", [name, ...columns.map(({ cell }) => cell(used))]);
  const lookups = calls.flatMap((call, at) => {
    const asked = lookupsIn(call.answer?.blocks ?? []).map(lookupText);
    return asked.length === 0 ? [] : [`${at + 1} ${promptName(call)}: ${asked.join("; ")}`];
  });
  const failures = calls.flatMap((call, at) =>
    call.failure === undefined ? [] : [`${at + 1} ${promptName(call)}: ${withoutCode(call.failure)}`],
  );
  return {
    id: "calls",
    title: "Calls to the model",
    body: [
      ...factsOf(totals(calls, all)),
      table(
        h("thead", {}, figures("th", ["Prompt", ...columns.map(({ head }) => head)])),
        h("tbody", {}, ...[...byPrompt].map(([name, used]) => row(name, used))),
        h("tfoot", {}, row("All", all)),
      ),
      ...listOf("Looked up", lookups),
      ...listOf("Failed calls", failures),
    ],
  };
}

/** What a run used, in a line: from its calls when they are stored, else from its counters. */
export function spendSentence({ calls: kept, state }: ShownRun): string {
  const { spend } = state ?? {};
  if (kept.length === 0 && spend === undefined) return "";
  const all = sumOf([...countByPrompt(kept).values()]);
  const isKept = kept.length > 0;
  const money = isKept ? all.money : Math.round((spend?.money ?? 0) / MONEY_UNIT);
  const elapsed = spend?.elapsed ?? 0;
  return joined(
    [
      dollars(money),
      figure(isKept ? all.calls : (spend?.calls ?? 0), "call"),
      figure(isKept ? tokensOf(all) : (spend?.tokens ?? 0), "token"),
      elapsed > 0 ? formatTime(elapsed) : "",
    ],
    ", ",
  );
}

/** `p04-plan-work` becomes `plan work`, with the requested effort, if any. */
function promptName({ promptId, answer }: ShownCall): string {
  const name = promptId.replace(/^[a-z]\d\d-/, "").replaceAll("-", " ");
  return answer?.effort ? `${name} (${answer.effort} effort)` : name;
}

function totals(calls: readonly ShownCall[], all: Figures): Fact[] {
  const path = criticalPath(calls);
  // A call without a known start counts as if it had run alone: the figure is then too high rather than too low.
  const most = calls.some(({ began }) => began === undefined) ? "at most " : "";
  const failed = calls.filter(({ failure }) => failure !== undefined).length;
  const cutOff = calls.filter(({ answer }) => answer?.stop === "length").length;
  const lookups = calls.flatMap(({ answer }) => lookupsIn(answer?.blocks ?? [])).length;
  const models = new Set(calls.flatMap(({ answer }) => answer?.model || []));
  return [
    ["Calls", joined([formatCount(all.calls), failed > 0 ? `${failed} of them failed` : ""], ", ")],
    ["In sequence", `${most}${path.calls} one after another, ${most}${formatTime(path.elapsed)}`],
    ["Added up", formatTime(all.elapsed * TIME_UNIT)],
    ["Tokens", formatCount(tokensOf(all))],
    ["Money", dollars(all.money)],
    ["Cut off", cutOff > 0 ? `${figure(cutOff, "answer")} reached the limit of tokens` : ""],
    ["Look-ups", lookups > 0 ? formatCount(lookups) : ""],
    ["Models", [...models].join(", ")],
  ];
}

/**
 * What one or more calls used, in whole units, so that the table's rows add up to its total and to all other totals.
 */
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

const FIGURES = [
  "calls",
  /** tokens that were not in the provider's cache */
  "input",
  "cacheWrite",
  "cacheRead",
  "output",
  /** tokens of failed calls and attempts */
  "lost",
  /** ten thousandths of a US dollar */
  "money",
  /** tenths of a second; parallel calls all count */
  "elapsed",
] as const;

const COLUMNS: readonly { head: string; cell(figures: Figures): string }[] = [
  { head: "Calls", cell: ({ calls }) => formatCount(calls) },
  { head: "Input", cell: ({ input }) => formatCount(input) },
  { head: "To cache", cell: ({ cacheWrite }) => formatCount(cacheWrite) },
  { head: "Cached", cell: ({ cacheRead }) => formatCount(cacheRead) },
  { head: "Output", cell: ({ output }) => formatCount(output) },
  { head: "Failed", cell: ({ lost }) => formatCount(lost) },
  { head: "Money", cell: ({ money }) => dollars(money) },
  { head: "Time", cell: ({ elapsed }) => `${((elapsed * TIME_UNIT) / 1000).toFixed(1)} s` },
];

const MONEY_UNIT = 0.0001;

const TIME_UNIT = 100;

const dollars = (units: number) => `$${(units * MONEY_UNIT).toFixed(4)}`;

const tokensOf = ({ input, cacheWrite, cacheRead, output, lost }: Figures) =>
  input + cacheWrite + cacheRead + output + lost;

function countByPrompt(calls: readonly ShownCall[]): ReadonlyMap<string, Figures> {
  const names = [...new Set(calls.map(promptName))];
  const exact = names.map((name) => sumOf(calls.filter((call) => promptName(call) === name).map(figuresOf)));
  const money = wholeUnits(exact.map((one) => one.money));
  const elapsed = wholeUnits(exact.map((one) => one.elapsed));
  return new Map(
    names.map((name, at) => [name, { ...(exact[at] as Figures), money: money[at] ?? 0, elapsed: elapsed[at] ?? 0 }]),
  );
}

/** What a call used; money and time are not rounded yet. */
function figuresOf({ answer, tokens, money, elapsed }: ShownCall): Figures {
  const { input = 0, cacheWrite = 0, cacheRead = 0, output = 0 } = answer?.usage ?? {};
  const used = {
    calls: 1,
    input: Math.round(input),
    cacheWrite: Math.round(cacheWrite),
    cacheRead: Math.round(cacheRead),
    output: Math.round(output),
    lost: 0,
    money: money / MONEY_UNIT,
    elapsed: elapsed / TIME_UNIT,
  };
  return { ...used, lost: Math.max(0, Math.round(tokens) - tokensOf(used)) };
}

function sumOf(parts: readonly Figures[]): Figures {
  const sum = (name: (typeof FIGURES)[number]) => parts.reduce((total, one) => total + one[name], 0);
  // It has exactly the names of FIGURES.
  return Object.fromEntries(FIGURES.map((name) => [name, sum(name)])) as Figures;
}

/** Rounds the values so that they add up to the rounded sum: those that would lose most are rounded up. */
function wholeUnits(exact: readonly number[]): number[] {
  // Floating point error must not round a whole value down.
  const whole = exact.map((value) => Math.floor(value + 1e-6));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const missing = Math.round(sum(exact)) - sum(whole);
  const order = exact.map((value, at) => ({ at, lost: value - (whole[at] ?? 0) })).sort((a, b) => b.lost - a.lost);
  for (const { at } of order.slice(0, Math.max(0, missing))) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}
