import type { ShownCall, ShownRun } from "../../model/read-record.ts";
import { criticalPath, formatMoney } from "../../model/spend.ts";
import { type Block, formatCount, formatTime, type Section } from "./block.ts";

/** `written` and `read`: to and from the provider's cache */
const FIGURES = ["uncached", "written", "read", "out", "money", "time"];

const HEAD = ["prompt", "calls", ...FIGURES, "tok %", "$ %", "time %"];

/** What the calls to the model have used, for each prompt, each of them and together, and when they were made. */
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
        rows: prompts.map(({ id, own, shares }) => [id, String(own.calls), ...figures(own), ...shares.map(percent)]),
        sum: ["all", String(all.calls), ...figures(all), ...sharesOf(all, all).map(percent)],
      },
      eachCall(calls, all),
      ...timeline(calls),
      ...failures(calls),
    ],
  };
}

/** A prompt, with the effort that it was answered with where one was asked for. */
const nameOf = ({ promptId, answer }: ShownCall) => (answer?.effort ? `${promptId} (${answer.effort})` : promptId);
function eachCall(calls: readonly ShownCall[], all: CallCount): Block {
  const titleOf = (call: ShownCall, at: number) => {
    const ended = call.failure !== undefined ? ", failed" : call.answer?.stop === "length" ? ", cut off" : "";
    return `${at + 1} ${nameOf(call)}${ended}`;
  };
  const rows = calls.map((call, at) => [titleOf(call, at), ...figures(countCalls([call]))]);
  const table = { kind: "table" as const, head: ["call", ...FIGURES], rows, sum: ["all", ...figures(all)] };
  return { kind: "fold", title: "Each call, as they were finished", body: [table] };
}

function totals(calls: readonly ShownCall[], all: CallCount): (readonly [string, string])[] {
  const path = describePath(calls);
  const models = [...new Set(calls.flatMap(({ answer }) => (answer?.model ? [answer.model] : [])))];
  return [
    ["calls", `${all.calls}${all.failed > 0 ? `, ${all.failed} of them failed` : ""}`],
    ["sequential calls", `${path.calls} one after another`],
    ["critical path", `${path.elapsed} (all calls together ${formatTime(all.elapsed)})`],
    [
      "tokens",
      `${formatCount(all.tokens)}: uncached ${formatCount(all.uncached)}, written to the cache ${formatCount(all.written)}, read from it ${formatCount(all.read)}, out ${formatCount(all.output)}`,
    ],
    ...(all.cutOff > 0 ? [["cut off", `${all.cutOff} answers reached their most tokens`] as const] : []),
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
  const tokens = [count.uncached, count.written, count.read, count.output].map(formatCount);
  return [...tokens, formatMoney(count.money), formatTime(count.elapsed)];
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
  /** of the others: answers that reached their most tokens */
  readonly cutOff: number;
  /** tokens of input that the provider's cache has no part in; of failed calls no kinds are known */
  readonly uncached: number;
  /** to the cache, and from it */
  readonly written: number;
  readonly read: number;
  readonly output: number;
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
    cutOff: calls.filter(({ answer }) => answer?.stop === "length").length,
    uncached: sum(({ answer }) => answer?.usage.input ?? 0),
    written: sum(({ answer }) => answer?.usage.cacheWrite ?? 0),
    read: sum(({ answer }) => answer?.usage.cacheRead ?? 0),
    output: sum(({ answer }) => answer?.usage.output ?? 0),
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
