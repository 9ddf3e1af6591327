/** Tokens and US dollars. */
export interface Amount {
  readonly tokens: number;
  readonly money: number;
}

/** The most output tokens that fit, and the limit that stands in the way of more. */
export interface LargestFit {
  readonly maxTokens: number;
  readonly limit: "money" | "tokens";
}

/**
 * How many output tokens, `wanted` at most, the worst case of a request can have and still fit into `left`; negative
 * when its input alone does not. `worstCase` is linear in the output tokens.
 */
export function largestFit(worstCase: (maxTokens: number) => Amount, wanted: number, left: Amount): LargestFit {
  const least = worstCase(0);
  const most = worstCase(wanted);
  const outputsFor = (kind: "tokens" | "money"): number => {
    if (most[kind] <= left[kind]) return wanted;
    if (least[kind] > left[kind] || most[kind] <= least[kind]) return -1;
    const found = Math.floor((wanted * (left[kind] - least[kind])) / (most[kind] - least[kind]));
    // Rounding of fractions of a cent may be off by one.
    return worstCase(found)[kind] <= left[kind] ? found : found - 1;
  };
  const money = outputsFor("money");
  const tokens = outputsFor("tokens");
  return money < tokens ? { maxTokens: money, limit: "money" } : { maxTokens: tokens, limit: "tokens" };
}
