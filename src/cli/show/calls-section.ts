import type { ShownCall, ShownRun } from "../../model/read-record.ts";
import { criticalPath, formatMoney } from "../../model/spend.ts";
import { type Block, formatCount, formatTime, type Section } from "./block.ts";

const HEAD = ["prompt", "calls", "in", "cached", "out", "money", "time", "tok %", "$ %", "time %"];

/** What the calls to the model have used, for each prompt and together, and when they were made. */
export function callsSection({ calls }: ShownRun): Section {
  const frame = { id: "calls", title: "Calls to the model" };
  if (calls.length === 0) return { ...frame, body: [{ kind: "text", text: "No call is kept.", tone: "quiet" }] };
  const all = countCalls(calls);
  const prompts = [...new Set(calls.map(nameOf))].map((id) => {
    const own = countCalls(calls.filter((call) => nameOf(call) === id));
    return { id, own, shares: sharesOf(own, all) };
  });
  return {
    ...frame,
    body: [
      { kind: "facts", rows: totals(calls, all) },
      {
        ...{ kind: "bars", measures: ["tokens", "money", "time"] },
        rows: prompts.map(({ id, shares }) => ({ label: id, shares })),
      },
      {
        ...{ kind: "table", head: HEAD },
        rows: prompts.map(({ id, own, shares }) => [id, ...figures(own), ...shares.map(percent)]),
        sum: ["all", ...figures(all), ...sharesOf(all, all).map(percent)],
      },
      ...timeline(calls),
      ...failures(calls),
    ],
  };
}

/** A prompt, with the effort that it was answered with where one was asked for. */
const nameOf = ({ promptId, answer }: ShownCall) => (answer?.effort ? `${promptId} (${answer.effort})` : promptId);

function totals(calls: readonly ShownCall[], all: CallCount): (readonly [string, string])[] {
  const path = describePath(calls);
  const models = [...new Set(calls.flatMap(({ answer }) => (answer?.model ? [answer.model] : [])))];
  return [
    ["calls", `${all.calls}${all.failed > 0 ? `, ${all.failed} of them failed` : ""}`],
    ["sequential calls", `${path.calls} one after another`],
    ["critical path", `${path.elapsed} (all calls together ${formatTime(all.elapsed)})`],
    [
      "tokens",
      `${formatCount(all.tokens)}: in ${formatCount(all.input)}, cached ${formatCount(all.cached)}, out ${formatCount(all.output)}`,
    ],
    ["money", formatMoney(all.money)],
    ...(models.length > 0 ? [["models", models.join(", ")] as const] : []),
    ...(efforts(calls) === "" ? [] : [["effort", efforts(calls)] as const]),
  ];
}

/** `low: 3 calls, 1,200 tokens, $0.01; high: …`: what was made with which effort; "" when none was asked for. */
function efforts(calls: readonly ShownCall[]): string {
  const known = [...new Set(calls.flatMap(({ answer }) => answer?.effort ?? []))];
  const rows = known.map((effort) => {
    const own = countCalls(calls.filter(({ answer }) => answer?.effort === effort));
    return `${effort}: ${own.calls} calls, ${formatCount(own.tokens)} tokens, ${formatMoney(own.money)}`;
  });
  return rows.join("; ");
}

function figures(count: CallCount): string[] {
  const tokens = [count.input, count.cached, count.output].map(formatCount);
  return [String(count.calls), ...tokens, formatMoney(count.money), formatTime(count.elapsed)];
}

function sharesOf(own: CallCount, all: CallCount): number[] {
  return (["tokens", "money", "elapsed"] as const).map((measure) =>
    all[measure] > 0 ? own[measure] / all[measure] : 0,
  );
}

const percent = (share: number) => String(Math.round(share * 100));

function timeline(calls: readonly ShownCall[]): Block[] {
  const spans = calls.flatMap(({ promptId, began, elapsed, failure, tokens, money }) =>
    began === undefined
      ? []
      : [
          {
            ...{ lane: promptId, began, elapsed, failed: failure !== undefined },
            about: `${promptId}: ${formatTime(elapsed)}, ${formatCount(tokens)} tokens, ${formatMoney(money)}`,
          },
        ],
  );
  return spans.length === 0 ? [] : [{ kind: "timeline", spans }];
}

function failures(calls: readonly ShownCall[]): Block[] {
  const failed = calls.filter(({ failure }) => failure !== undefined);
  if (failed.length === 0) return [];
  const items = failed.map(({ promptId, failure, money }) => `${promptId}: ${failure} (${formatMoney(money)})`);
  return [{ kind: "group", title: "Failed calls", body: [{ kind: "list", items }] }];
}

/** What calls have used. */
export interface CallCount {
  readonly calls: number;
  readonly failed: number;
  /** tokens read anew, written to the cache or not; of failed calls no kinds are known */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** all tokens, of failed calls too */
  readonly tokens: number;
  readonly money: number;
  /** milliseconds, summed: calls side by side count each */
  readonly elapsed: number;
}

/** Sums up `calls`. */
export function countCalls(calls: readonly ShownCall[]): CallCount {
  const sum = (of: (call: ShownCall) => number) => calls.reduce((total, call) => total + of(call), 0);
  return {
    calls: calls.length,
    failed: calls.filter(({ failure }) => failure !== undefined).length,
    input: sum(({ answer }) => (answer ? answer.usage.input + answer.usage.cacheWrite : 0)),
    output: sum(({ answer }) => answer?.usage.output ?? 0),
    cached: sum(({ answer }) => answer?.usage.cacheRead ?? 0),
    tokens: sum(({ tokens }) => tokens),
    money: sum(({ money }) => money),
    elapsed: sum(({ elapsed }) => elapsed),
  };
}

/** The longest chain of calls in words: how many came one after another, and the time that takes. */
export function describePath(calls: readonly ShownCall[]): { readonly calls: string; readonly elapsed: string } {
  const path = criticalPath(calls.map(({ began, elapsed }) => ({ elapsed, ...(began !== undefined && { began }) })));
  // Without its beginning a call counts as if it had run alone, so the figures are too high rather than too low.
  const most = calls.some(({ began }) => began === undefined) ? "at most " : "";
  return { calls: `${most}${path.calls}`, elapsed: `${most}${formatTime(path.elapsed)}` };
}
