import pLimit from "p-limit";
import { untilAborted } from "../../model/cancellation.ts";

/** How many runs clone and index at the same time in one process. */
const AT_ONCE = 4;

/** After this long the next run begins anyway: a large repository must not hold up the others. */
const LONGEST_MS = 5_000;

/** One run's turn at opening its repository. */
export interface OpeningTurn {
  /** Waits for the turn. Throws RUN_CANCELLED once `signal` has aborted. */
  begin(signal: AbortSignal): Promise<void>;
  /** Lets the next run begin: the repository is open, or no longer wanted. */
  end(): void;
}

const turns = pLimit(AT_ONCE);

/**
 * A run's turn at opening its repository. Runs get theirs in the order in which they ask. Cloning and indexing are most
 * of what a run computes: when many runs begin at once, the first ones can ask the model while the rest still wait. If
 * all computed side by side, none would get that far until nearly all had finished.
 */
export function createOpeningTurn(): OpeningTurn {
  let leave = () => {};
  return {
    begin(signal) {
      leave();
      const begun = new Promise<void>((begin) => {
        const left = new Promise<void>((resolve) => {
          leave = resolve;
        });
        void turns(async () => {
          begin();
          const timer = setTimeout(leave, LONGEST_MS).unref();
          await left;
          clearTimeout(timer);
        });
      });
      return untilAborted(begun, signal);
    },
    end: () => leave(),
  };
}
