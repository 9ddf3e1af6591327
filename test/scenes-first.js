import Sequencer from "@jest/test-sequencer";

/** Jobs whose suites wait more than they compute. */
const WAITING = ["scenes", "rooms"];

const rankOf = ({ context }) => {
  const at = WAITING.indexOf(context.config.displayName?.name);
  return at < 0 ? WAITING.length : at;
};

/** Starts what waits most first, so that the units fill its pauses and no scene runs alone at the end. */
// biome-ignore lint/style/noDefaultExport: Jest takes its sequencer as a default export
export default class ScenesFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
