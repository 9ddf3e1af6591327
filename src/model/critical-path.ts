/** When a call began, in milliseconds since the epoch where it is known, and how many milliseconds it took. */
interface TimedCall {
  readonly began?: number;
  readonly elapsed: number;
}

/** Beginnings are kept as whole milliseconds and ends are computed: calls that follow each other may seem to touch. */
const SLACK_MS = 2;

/**
 * The longest chain of calls that came one after another; calls that overlap in time do not follow each other.
 * `calls`: how many such a chain has at most. `elapsed`: milliseconds that one takes at most, pauses between its calls
 * left out; it need not be the chain with the most calls. A call of which it is not known when it began counts as if
 * nothing had run beside it.
 */
export function criticalPath(calls: readonly TimedCall[]): { readonly calls: number; readonly elapsed: number } {
  const known = calls.flatMap(({ began, elapsed }) => (began === undefined ? [] : [{ began, elapsed }]));
  const unknown = calls.filter(({ began }) => began === undefined);
  known.sort((a, b) => a.began + a.elapsed - (b.began + b.elapsed) || a.began - b.began);
  /** of each call, the best chains that end with it */
  const chains: { calls: number; elapsed: number }[] = [];
  for (const [at, call] of known.entries()) {
    let [most, longest] = [0, 0];
    for (let before = 0; before < at; before++) {
      const [earlier, chain] = [known[before], chains[before]];
      if (earlier === undefined || chain === undefined || !follows(earlier, call)) continue;
      most = Math.max(most, chain.calls);
      longest = Math.max(longest, chain.elapsed);
    }
    chains.push({ calls: most + 1, elapsed: longest + call.elapsed });
  }
  return {
    calls: unknown.length + chains.reduce((most, chain) => Math.max(most, chain.calls), 0),
    elapsed:
      unknown.reduce((sum, { elapsed }) => sum + elapsed, 0) +
      chains.reduce((longest, chain) => Math.max(longest, chain.elapsed), 0),
  };
}

function follows(one: Required<TimedCall>, other: Required<TimedCall>): boolean {
  const slack = Math.min(SLACK_MS, one.elapsed / 2, other.elapsed / 2);
  return other.began >= one.began + one.elapsed - slack;
}
