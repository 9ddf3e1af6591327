/** Files of these kinds take longest, in this order: begun last, they would run alone at the end. */
const LONG = [
  /durability|e2e\/(?:outage|proof|queue)|cli\/(?:action|eval)/,
  // Waits for what GitHub's limits tell it to.
  /github\/api\/client/,
  /e2e\/(?:checks-limits|commands|faults|publish|review)|cli\/resolve|package/,
  /e2e|adapters\/database|bot/,
  /cli|engine|hostile/,
  /world|eval|wire/,
];

const rankOf = ({ path }) => {
  const found = LONG.findIndex((kind) => kind.test(path));
  return found < 0 ? LONG.length : found;
};

/** Orders Jest's test files, the long ones first: on a fresh clone nothing is known of their times. */
// biome-ignore lint/style/noDefaultExport: Jest takes its sequencer as a default export
export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
