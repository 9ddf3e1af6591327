import { wfQueueRunner } from "@dbos-inc/dbos-sdk/internal/wfqueue";

/** What DBOS 5.3.0 keeps of a queue that it looks into; `nextPollAt` is a time of the wall clock. */
export interface QueueState {
  readonly queue: { readonly name: string };
  readonly currentPollingMs: number;
  nextPollAt: number;
}

/** Two clocks in milliseconds: the wall clock, which may be set, and one that never goes back. */
export interface Clocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const CLOCKS: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/** How soon DBOS hears that it is to look into a queue. */
const HEARD_WITHIN_MS = 50;

/** The longest that a queue may not have been looked into while all is well. */
const OVERDUE_MS = 10_000;

/**
 * The states of queues as DBOS keeps them, which no clock can stop: a next look that lies further ahead than any would
 * have been planned means that the wall clock was set back, and is due now. DBOS itself would wait until the clock has
 * caught up. And it can be told that there is something to find (`lookNow`), so that it need not look often: it is made
 * to ask again soon when the next look is due, which costs nothing, where each look is a few queries.
 */
export class QueueStates extends Map<string, QueueState> {
  private readonly looked = new Map<string, number>();
  private readonly hurry = new Map<string, () => void>();
  private readonly clocks: Clocks;

  constructor(clocks: Clocks) {
    super();
    this.clocks = clocks;
  }

  override set(name: string, state: QueueState): this {
    const { looked } = this;
    const { wall, steady } = this.clocks;
    let next = wall();
    let isAskedFor = false;
    looked.set(name, steady());
    this.hurry.set(name, () => {
      next = wall();
      isAskedFor = true;
    });
    Object.defineProperty(state, "nextPollAt", {
      get: () => {
        if (next > wall() + 2 * state.currentPollingMs) next = wall();
        return Math.min(next, wall() + HEARD_WITHIN_MS);
      },
      set: (at: number) => {
        // The look that has just ended may have begun before there was something to find.
        next = isAskedFor ? wall() : at;
        isAskedFor = false;
        looked.set(name, steady());
      },
    });
    return super.set(name, state);
  }

  /** Has a queue looked into at once, or all of them: there is something to find. */
  lookNow(name?: string): void {
    for (const [one, hurry] of this.hurry) if (name === undefined || one === name) hurry();
  }

  /** Whether every queue is looked into as often as it should be. */
  keepUp(): boolean {
    const now = this.clocks.steady();
    return [...this.values()].every(({ queue, currentPollingMs }) => {
      const since = now - (this.looked.get(queue.name) ?? now);
      return since <= Math.max(OVERDUE_MS, 3 * currentPollingMs);
    });
  }
}

/** Makes DBOS keep its queues' states where no clock can stop them; before its launch. */
export function installQueueStates(clocks: Clocks = CLOCKS): QueueStates {
  const states = new QueueStates(clocks);
  (wfQueueRunner as unknown as { states: Map<string, QueueState> }).states = states;
  return states;
}

/** A difference between the two clocks that is no drift. */
const JUMP_MS = 2_000;

/** Makes what tells, whenever it is asked, by how many milliseconds the wall clock was set since it was asked last; 0 for not at all. */
export function createJumpWatch({ wall, steady }: Clocks = CLOCKS): () => number {
  let before = wall() - steady();
  return () => {
    const now = wall() - steady();
    const jump = now - before;
    before = now;
    return Math.abs(jump) < JUMP_MS ? 0 : Math.round(jump);
  };
}
