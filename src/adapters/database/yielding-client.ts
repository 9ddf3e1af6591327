import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";

type Query = (query: unknown, values?: unknown) => Promise<unknown>;
type Callback = (error: unknown, result?: unknown) => void;

/**
 * A pg client for the database in this process. PGlite answers in microtasks, so queries one after the other would
 * keep timers and sockets waiting for seconds; this client gives them a turn every `everyMs` milliseconds.
 */
export function yieldingClient(everyMs = 8): typeof pg.Client {
  let lastTurn = performance.now();
  return class YieldingClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const send = super.query.bind(this) as Query;
      const run: Query = async (query, values) => {
        if (performance.now() - lastTurn > everyMs) {
          await nextTurn();
          lastTurn = performance.now();
        }
        return send(query, values);
      };
      this.query = ((query: unknown, second?: unknown, third?: Callback) => {
        const callback = typeof second === "function" ? (second as Callback) : third;
        const answer = run(query, typeof second === "function" ? undefined : second);
        if (callback === undefined) return answer;
        answer.then(
          (result) => callback(null, result),
          (error) => callback(error),
        );
        return undefined;
      }) as typeof this.query;
    }
  };
}
