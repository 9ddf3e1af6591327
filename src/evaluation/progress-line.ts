import type { InstanceMetrics } from "./measures/instance-metrics.ts";

/** One finished instance in one line. */
export function progressLine({ id, end, patch, spend }: InstanceMetrics): string {
  const applied = patch.empty ? "no change" : patch.applied ? "applies" : "does not apply";
  const calls = spend.calls === 1 ? "1 call" : `${spend.calls} calls`;
  const cost = `$${spend.money.toFixed(spend.money < 0.1 ? 4 : 2)}`;
  return `${id}: ${end.kind === "change" ? "" : `${end.kind}, `}${applied}, ${calls}, ${cost}, ${(spend.wallMs / 1000).toFixed(1)} s`;
}
