import type { ShownCall, ShownRun } from "../../model/read-record.ts";
import { criticalPath } from "../../model/spend.ts";
import { lookupsIn } from "../../ports/language-model.ts";
import { lookupText } from "../terminal-text.ts";
import {
  type Block,
  counted,
  type Fact,
  factsOf,
  formatCount,
  formatTime,
  joined,
  listOf,
  type Section,
} from "./document.ts";

/** What the calls to the model used: together, by prompt, and each of them. */
export function callsSection({ calls: kept }: ShownRun): Section | undefined {
  if (kept.length === 0) return undefined;
  const calls = countEach(kept);
  const all = sumOf(calls);
  return {
    id: "calls",
    title: "Calls to the model",
    body: [
      ...factsOf(totals(calls, all)),
      figuresTable("Prompt", promptRows(calls), all, true),
      { kind: "part", title: "Each call", fold: "closed", body: [figuresTable("Call", callRows(calls), all, false)] },
      ...listOf(
        "Looked up",
        calls.flatMap(({ call }, at) => {
          const asked = lookupsIn(call.answer?.blocks ?? []).map(lookupText);
          return asked.length === 0 ? [] : [`${at + 1} ${promptName(call)}: ${asked.join("; ")}`];
        }),
      ),
      ...listOf(
        "Failed calls",
        calls.flatMap(({ call, figures }, at) =>
          call.failure === undefined
            ? []
            : [`${at + 1} ${promptName(call)}: ${call.failure} (${dollars(figures.money)})`],
        ),
      ),
    ],
  };
}

/** What a run used, in a line: by its calls where they are kept, else as it was counted. */
export function spendSentence({ calls: kept, state }: ShownRun): string {
  const { spend } = state ?? {};
  if (kept.length === 0 && spend === undefined) return "";
  const all = sumOf(countEach(kept));
  const isKept = kept.length > 0;
  const money = isKept ? all.money : Math.round((spend?.money ?? 0) / MONEY_UNIT);
  const elapsed = spend?.elapsed ?? 0;
  return joined(
    [
      dollars(money),
      counted(isKept ? all.calls : (spend?.calls ?? 0), "call"),
      counted(isKept ? tokensOf(all) : (spend?.tokens ?? 0), "token"),
      elapsed > 0 ? formatTime(elapsed) : "",
    ],
    ", ",
  );
}

/** `p04-plan-work` is `plan work`, with the effort that was asked for where one was. */
function promptName({ promptId, answer }: ShownCall): string {
  const name = promptId.replace(/^[a-z]\d\d-/, "").replaceAll("-", " ");
  return answer?.effort ? `${name} (${answer.effort} effort)` : name;
}

/** A name and what it used. */
type Row = readonly [string, Figures];

function promptRows(calls: readonly Counted[]): Row[] {
  const names = [...new Set(calls.map(({ call }) => promptName(call)))];
  return names.map((name) => [name, sumOf(calls.filter(({ call }) => promptName(call) === name))]);
}

function callRows(calls: readonly Counted[]): Row[] {
  return calls.map(({ call, figures }, at) => {
    const ended = call.answer?.stop === "length" ? "cut off" : "";
    return [joined([`${at + 1} ${promptName(call)}`, call.failure === undefined ? ended : "failed"], ", "), figures];
  });
}

function figuresTable(first: string, rows: readonly Row[], all: Figures, counts: boolean): Block {
  const columns = COLUMNS.filter(({ head }) => (head !== "Calls" || counts) && (head !== "Failed" || all.lost > 0));
  const cells = ([name, figures]: Row) => [name, ...columns.map(({ cell }) => cell(figures))];
  return {
    kind: "table",
    head: [first, ...columns.map(({ head }) => head)],
    rows: rows.map(cells),
    sum: cells(["All", all]),
  };
}

function totals(calls: readonly Counted[], all: Figures): Fact[] {
  const kept = calls.map(({ call }) => call);
  const path = criticalPath(kept.map(({ began, elapsed }) => ({ elapsed, ...(began !== undefined && { began }) })));
  // Without its beginning a call counts as if it had run alone, so the figures are too high rather than too low.
  const most = kept.some(({ began }) => began === undefined) ? "at most " : "";
  const models = new Set(kept.flatMap(({ answer }) => (answer?.model ? [answer.model] : [])));
  return [
    ["Calls", joined([formatCount(all.calls), all.failed > 0 ? `${all.failed} of them failed` : ""], ", ")],
    ["In sequence", `${most}${path.calls} one after another, ${most}${formatTime(path.elapsed)}`],
    ["Added up", timeOf(all)],
    ["Tokens", formatCount(tokensOf(all))],
    ["Money", dollars(all.money)],
    ["Cut off", all.cutOff > 0 ? `${counted(all.cutOff, "answer")} reached the limit of tokens` : ""],
    ["Look-ups", all.lookups > 0 ? formatCount(all.lookups) : ""],
    ["Models", [...models].join(", ")],
  ];
}

/** What one or more calls used, in whole units: the rows of any table add up to its sum, and to all other sums. */
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

const FIGURES = [
  "calls",
  "failed",
  /** answers that reached the limit of tokens */
  "cutOff",
  "lookups",
  /** tokens that the provider's cache did not have */
  "input",
  "cacheWrite",
  "cacheRead",
  "output",
  /** tokens of failed calls and attempts */
  "lost",
  /** ten thousandths of a US dollar */
  "money",
  /** tenths of a second; calls side by side count each */
  "elapsed",
] as const;

const COLUMNS: readonly { readonly head: string; cell(figures: Figures): string }[] = [
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

const timeOf = ({ elapsed }: Figures) => formatTime(elapsed * TIME_UNIT);

const tokensOf = ({ input, cacheWrite, cacheRead, output, lost }: Figures) =>
  input + cacheWrite + cacheRead + output + lost;

interface Counted {
  readonly call: ShownCall;
  readonly figures: Figures;
}

function countEach(calls: readonly ShownCall[]): Counted[] {
  const money = wholeUnits(calls.map((call) => call.money / MONEY_UNIT));
  const elapsed = wholeUnits(calls.map((call) => call.elapsed / TIME_UNIT));
  return calls.map((call, at) => {
    const { answer, failure } = call;
    const usage = {
      input: Math.round(answer?.usage.input ?? 0),
      cacheWrite: Math.round(answer?.usage.cacheWrite ?? 0),
      cacheRead: Math.round(answer?.usage.cacheRead ?? 0),
      output: Math.round(answer?.usage.output ?? 0),
    };
    const told = usage.input + usage.cacheWrite + usage.cacheRead + usage.output;
    const figures: Figures = {
      ...usage,
      calls: 1,
      failed: failure === undefined ? 0 : 1,
      cutOff: answer?.stop === "length" ? 1 : 0,
      lookups: lookupsIn(answer?.blocks ?? []).length,
      lost: Math.max(0, Math.round(call.tokens) - told),
      money: money[at] ?? 0,
      elapsed: elapsed[at] ?? 0,
    };
    return { call, figures };
  });
}

function sumOf(calls: readonly Counted[]): Figures {
  const sum = (name: (typeof FIGURES)[number]) => calls.reduce((total, { figures }) => total + figures[name], 0);
  // It has exactly the names of FIGURES.
  return Object.fromEntries(FIGURES.map((name) => [name, sum(name)])) as Figures;
}

/** The values in whole numbers, which add up to the rounded sum: what would lose most is rounded up. */
function wholeUnits(exact: readonly number[]): number[] {
  // A value that is whole but for the last bits of its fraction is not rounded down.
  const whole = exact.map((value) => Math.floor(value + 1e-6));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const missing = Math.round(sum(exact)) - sum(whole);
  const order = exact.map((value, at) => ({ at, lost: value - (whole[at] ?? 0) })).sort((a, b) => b.lost - a.lost);
  for (const { at } of order.slice(0, Math.max(0, missing))) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}
