import type { ShownCall, ShownRun } from "../../model/read-record.ts";
import { criticalPath } from "../../model/spend.ts";
import { lookupsIn } from "../../ports/language-model.ts";
import { lookupText } from "../terminal-text.ts";
import { type Block, formatCount, formatTime, type Section } from "./block.ts";

type Counted = ShownCall & { readonly count: CallCount };

/** What the calls to the model have used, for each prompt, each of them and together, and when they were made. */
export function callsSection({ calls: kept }: ShownRun): Section {
  const frame = { id: "calls", title: "Calls to the model" };
  if (kept.length === 0) return { ...frame, body: [{ kind: "text", text: "No call is kept.", tone: "quiet" }] };
  const counts = countEach(kept);
  const calls = kept.map((call, at) => ({ ...call, count: counts[at] ?? NONE }));
  const prompts = [...new Set(calls.map(nameOf))].map((id) => ({
    ...{ label: id, own: sumOf(calls.filter((call) => nameOf(call) === id)) },
  }));
  const all = sumOf(calls);
  const shares = sharesOf(prompts.map(({ own }) => own));
  return {
    ...frame,
    body: [
      { kind: "facts", rows: totals(calls, all) },
      {
        ...{ kind: "bars", measures: ["tokens", "money", "time"] },
        rows: prompts.map(({ label }, at) => ({ label, shares: (shares[at] ?? []).map((share) => share / 100) })),
      },
      promptTable(prompts, shares, all),
      eachCall(calls, all),
      ...lookups(calls),
      ...timeline(calls),
      ...failures(calls),
    ],
  };
}

/** A prompt, with the effort that it was answered with where one was asked for. */
const nameOf = ({ promptId, answer }: ShownCall) => (answer?.effort ? `${promptId} (${answer.effort})` : promptId);

/** `written` and `read`: to and from the provider's cache; `failed`: what failed calls and attempts have used */
const KINDS = ["uncached", "written", "read", "out", "failed"] as const;

const FIGURES = [...KINDS.slice(0, -1), "money", "time"];

const figures = ({ kinds, money, elapsed }: CallCount, all: CallCount) => [
  ...KINDS.filter((kind) => isShown(kind, all)).map((kind) => formatCount(kinds[kind])),
  ...[dollars(money), `${(elapsed / SECOND).toFixed(1)} s`],
];

const isShown = (kind: (typeof KINDS)[number], all: CallCount) => kind !== "failed" || all.kinds.failed > 0;

const headOf = (all: CallCount) => FIGURES.toSpliced(4, 0, ...(isShown("failed", all) ? ["failed"] : []));

function promptTable(
  prompts: readonly { readonly label: string; readonly own: CallCount }[],
  shares: readonly (readonly number[])[],
  all: CallCount,
): Block {
  const row = (label: string, own: CallCount, share: readonly number[]) => [
    ...[label, String(own.calls), ...figures(own, all)],
    ...share.map(String),
  ];
  const whole = [0, 1, 2].map((measure) => shares.reduce((sum, share) => sum + (share[measure] ?? 0), 0));
  return {
    ...{ kind: "table", head: ["prompt", "calls", ...headOf(all), "tok %", "$ %", "time %"] },
    rows: prompts.map(({ label, own }, at) => row(label, own, shares[at] ?? [])),
    sum: row("all", all, whole),
  };
}

function eachCall(calls: readonly Counted[], all: CallCount): Block {
  const titleOf = (call: ShownCall, at: number) => {
    const ended = call.failure !== undefined ? ", failed" : call.answer?.stop === "length" ? ", cut off" : "";
    return `${at + 1} ${nameOf(call)}${ended}`;
  };
  const rows = calls.map((call, at) => [titleOf(call, at), ...figures(call.count, all)]);
  const table = { kind: "table" as const, head: ["call", ...headOf(all)], rows, sum: ["all", ...figures(all, all)] };
  return { kind: "fold", title: "Each call, as they were finished", body: [table] };
}

function totals(calls: readonly Counted[], all: CallCount): (readonly [string, string])[] {
  const path = describePath(calls);
  const { uncached, written, read, out, failed } = all.kinds;
  const kinds = [
    ...[`uncached ${formatCount(uncached)}`, `written to the cache ${formatCount(written)}`],
    ...[`read from it ${formatCount(read)}`, `out ${formatCount(out)}`],
    ...(failed > 0 ? [`failed ${formatCount(failed)}`] : []),
  ];
  const models = [...new Set(calls.flatMap(({ answer }) => (answer?.model ? [answer.model] : [])))];
  const rows: readonly (readonly [string, string])[] = [
    ["calls", `${all.calls}${all.failed > 0 ? `, ${all.failed} of them failed` : ""}`],
    ["sequential calls", `${path.calls} one after another`],
    ["critical path", `${path.elapsed} (all calls together ${timeOf(all)})`],
    ["tokens", `${formatCount(all.tokens)}: ${kinds.join(", ")}`],
    ["cut off", all.cutOff > 0 ? `${all.cutOff} answers reached their most tokens` : ""],
    ["money", dollars(all.money)],
    ["look-ups", all.lookups > 0 ? String(all.lookups) : ""],
    ["models", models.join(", ")],
    ["effort", efforts(calls)],
  ];
  return rows.filter(([, value]) => value !== "");
}

/** `low: 3 calls, 1,200 tokens, $0.0100; high: …`: what was made with which effort; "" when none was asked for. */
function efforts(calls: readonly Counted[]): string {
  const known = [...new Set(calls.map(({ answer }) => answer?.effort ?? ""))].sort();
  if (known.every((effort) => effort === "")) return "";
  return known
    .map((effort) => {
      const own = sumOf(calls.filter(({ answer }) => (answer?.effort ?? "") === effort));
      return `${effort || "not told"}: ${own.calls} calls, ${formatCount(own.tokens)} tokens, ${dollars(own.money)}`;
    })
    .join("; ");
}

/** What the answers wanted looked up, by the numbers that the calls have in their table. */
function lookups(calls: readonly ShownCall[]): Block[] {
  const items = calls.flatMap((call, at) => {
    const asked = lookupsIn(call.answer?.blocks ?? []).map(lookupText);
    return asked.length > 0 ? [`${at + 1} ${nameOf(call)}: ${asked.join("; ")}`] : [];
  });
  return items.length === 0 ? [] : [{ kind: "group", title: "Looked up", body: [{ kind: "list", items }] }];
}

function timeline(calls: readonly Counted[]): Block[] {
  const spans = calls.flatMap(({ promptId, began, elapsed, failure, count }) =>
    began === undefined
      ? []
      : [
          {
            ...{ lane: promptId, began, elapsed, failed: failure !== undefined },
            about: `${promptId}: ${timeOf(count)}, ${formatCount(count.tokens)} tokens, ${dollars(count.money)}`,
          },
        ],
  );
  return spans.length === 0 ? [] : [{ kind: "timeline", spans }];
}

function failures(calls: readonly Counted[]): Block[] {
  const failed = calls.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return [];
  const items = failed.map(({ promptId, failure, count }) => `${promptId}: ${failure} (${dollars(count.money)})`);
  return [{ kind: "group", title: "Failed calls", body: [{ kind: "list", items }] }];
}

/** What one or more calls have used, in whole units: rows of any table add up to its sum, and to all other sums of a run. */
interface CallCount {
  readonly calls: number;
  readonly failed: number;
  /** of the others: answers that reached their most tokens */
  readonly cutOff: number;
  readonly lookups: number;
  readonly kinds: Readonly<Record<(typeof KINDS)[number], number>>;
  /** of all kinds */
  readonly tokens: number;
  /** ten thousandths of a US dollar */
  readonly money: number;
  /** tenths of a second; calls side by side count each */
  readonly elapsed: number;
}

const MONEY_UNIT = 0.0001;

const SECOND = 10;

const TIME_UNIT = 1000 / SECOND;

const NONE: CallCount = {
  ...{ calls: 0, failed: 0, cutOff: 0, lookups: 0, tokens: 0, money: 0, elapsed: 0 },
  kinds: { uncached: 0, written: 0, read: 0, out: 0, failed: 0 },
};

const dollars = (units: number) => `$${(units * MONEY_UNIT).toFixed(4)}`;

const timeOf = ({ elapsed }: CallCount) => formatTime(elapsed * TIME_UNIT);

function countEach(calls: readonly ShownCall[]): CallCount[] {
  const money = wholeUnits(calls, MONEY_UNIT, (call) => call.money);
  const elapsed = wholeUnits(calls, TIME_UNIT, (call) => call.elapsed);
  return calls.map((call, at) => {
    const { input = 0, cacheWrite = 0, cacheRead = 0, output = 0 } = call.answer?.usage ?? {};
    const [uncached = 0, written = 0, read = 0, out = 0] = [input, cacheWrite, cacheRead, output].map(Math.round);
    const told = uncached + written + read + out;
    const failed = Math.max(0, Math.round(call.tokens) - told);
    return {
      ...{ calls: 1, failed: call.failure === undefined ? 0 : 1, cutOff: call.answer?.stop === "length" ? 1 : 0 },
      lookups: lookupsIn(call.answer?.blocks ?? []).length,
      ...{ kinds: { uncached, written, read, out, failed }, tokens: told + failed },
      ...{ money: money[at] ?? 0, elapsed: elapsed[at] ?? 0 },
    };
  });
}

function sumOf(calls: readonly Counted[]): CallCount {
  const sum = (of: (count: CallCount) => number) => calls.reduce((total, { count }) => total + of(count), 0);
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, sum((count) => count.kinds[kind])]));
  const keys = ["calls", "failed", "cutOff", "lookups", "tokens", "money", "elapsed"] as const;
  const sums = Object.fromEntries(keys.map((key) => [key, sum((count) => count[key])]));
  // Of the same keys as NONE.
  return { ...NONE, ...sums, kinds: { ...NONE.kinds, ...kinds } };
}

/** Of each row the percent of all tokens, money and time; each measure's add up to 100, or to 0 where there is none. */
function sharesOf(rows: readonly CallCount[]): number[][] {
  const columns = (["tokens", "money", "elapsed"] as const).map((measure) => {
    const sum = rows.reduce((total, row) => total + row[measure], 0);
    return wholeUnits(rows, sum > 0 ? sum / 100 : 1, (row) => row[measure]);
  });
  return rows.map((_, at) => columns.map((column) => column[at] ?? 0));
}

/** What each of `items` has, in whole units, which add up to the rounded sum: what lost most is rounded up. */
function wholeUnits<T>(items: readonly T[], unit: number, of: (item: T) => number): number[] {
  const exact = items.map((item) => of(item) / unit);
  // A value that is whole but for the last bits of its fraction is not rounded down.
  const whole = exact.map((value) => Math.floor(value + 1e-6));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const missing = Math.round(sum(exact)) - sum(whole);
  const order = exact.map((value, at) => ({ at, lost: value - (whole[at] ?? 0) })).sort((a, b) => b.lost - a.lost);
  for (const { at } of order.slice(0, Math.max(0, missing))) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}

/** The longest chain of calls in words: how many came one after another, and the time that takes. */
function describePath(calls: readonly ShownCall[]): { readonly calls: string; readonly elapsed: string } {
  const path = criticalPath(calls.map(({ began, elapsed }) => ({ elapsed, ...(began !== undefined && { began }) })));
  // Without its beginning a call counts as if it had run alone, so the figures are too high rather than too low.
  const most = calls.some(({ began }) => began === undefined) ? "at most " : "";
  return { calls: `${most}${path.calls}`, elapsed: `${most}${formatTime(path.elapsed)}` };
}

/** What a run has used, for its head: of its calls where they are kept, else as it was counted. */
export function spendFacts({ calls, state }: ShownRun): (readonly [string, string])[] {
  const counts = countEach(calls);
  const { spend } = state ?? {};
  const kept = calls.length > 0;
  const all = sumOf(calls.map((call, at) => ({ ...call, count: counts[at] ?? NONE })));
  const [money, tokens] = kept
    ? [all.money, all.tokens]
    : [Math.round((spend?.money ?? 0) / MONEY_UNIT), spend?.tokens ?? 0];
  const path = kept ? `, ${describePath(calls).calls} of them one after another` : "";
  return [
    ["cost", `${dollars(money)}, ${formatCount(tokens)} tokens`],
    ["calls", `${kept ? all.calls : (spend?.calls ?? 0)}${path}`],
  ];
}
