/** Whether requests come to an end. */
export interface Pulse {
  /** Runs a request and counts it as under way until it ends. */
  around<T>(request: () => Promise<T>): Promise<T>;
  /** Whether a request has been under way for long, and none has ended meanwhile. */
  standsStill(): boolean;
}

/** A request has a minute, and waits for nine others at most. */
const LONG_MS = 300_000;

/** `now`: milliseconds of a clock that nobody can set. */
export function createPulse(now: () => number = () => performance.now()): Pulse {
  const underWay = new Set<{ since: number }>();
  let lastEnd = now();
  return {
    async around(request) {
      const one = { since: now() };
      underWay.add(one);
      try {
        return await request();
      } finally {
        underWay.delete(one);
        lastEnd = now();
      }
    },
    standsStill() {
      const [oldest] = underWay;
      return oldest !== undefined && now() - Math.max(oldest.since, lastEnd) > LONG_MS;
    },
  };
}
