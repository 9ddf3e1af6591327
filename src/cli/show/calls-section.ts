import { formatMoney } from "../../model/format-spend.ts";
import type { ShownCall, ShownRun } from "../../model/run-shape.ts";
import type { Block, Section } from "./block.ts";
import { type CallCount, countCalls } from "./count-calls.ts";
import { describePath } from "./describe-path.ts";
import { formatCount, formatTime } from "./formats.ts";

const HEAD = ["prompt", "calls", "in", "cached", "out", "money", "time", "tok %", "$ %", "time %"];

/** What the calls to the model have used, for each prompt and together, and when they were made. */
export function callsSection({ calls }: ShownRun): Section {
  const frame = { id: "calls", title: "Calls to the model" };
  if (calls.length === 0) return { ...frame, body: [{ kind: "text", text: "No call is kept.", tone: "quiet" }] };
  const all = countCalls(calls);
  const prompts = [...new Set(calls.map(({ promptId }) => promptId))].map((id) => {
    const own = countCalls(calls.filter(({ promptId }) => promptId === id));
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
  ];
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
