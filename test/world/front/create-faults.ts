export interface Fault {
  method: string;
  /** Matches the path without the /api/v3 prefix, with the query; `/graphql` for GraphQL. */
  path: RegExp;
  /** Answers this instead of acting. */
  status?: number;
  /** Cuts the connection. `before`: nothing happens; `after`: the request takes effect and its answer is lost. */
  reset?: "before" | "after";
  body?: unknown;
  headers?: Record<string, string>;
  /** How often; once by default. */
  times?: number;
}

export interface HoldOptions {
  method: string;
  path: RegExp;
  /** `before` (default): the request has not taken effect. `after`: it has, and its answer waits. */
  when?: "before" | "after";
}

export interface Hold {
  /** Resolves when a request is held. */
  reached: Promise<void>;
  /** Releases the request, and later ones. */
  release(): void;
}

export interface Faults {
  fault(fault: Fault): void;
  /** Answers nobody until the returned function is called. */
  outage(): () => void;
  hold(options: HoldOptions): Hold;
  take(method: string, path: string): Fault | undefined;
  pass(method: string, path: string, when: "before" | "after"): Promise<void>;
  releaseAll(): void;
}

interface Standing extends Required<HoldOptions> {
  stop: () => Promise<void>;
  release: () => void;
}

/** Keeps ordered faults and held requests. */
export function createFaults(): Faults {
  const faults: (Fault & { left: number })[] = [];
  const holds = new Set<Standing>();
  let away = false;
  return {
    fault: (fault) => void faults.push({ ...fault, left: fault.times ?? 1 }),
    outage() {
      away = true;
      return () => {
        away = false;
      };
    },
    take(method, path) {
      if (away) return { method, path: /^/, reset: "before" };
      const found = faults.find((one) => one.left > 0 && one.method === method && one.path.test(path));
      if (found !== undefined) found.left -= 1;
      return found;
    },
    hold({ method, path, when = "before" }) {
      let reach = () => {};
      let open = () => {};
      const reached = new Promise<void>((resolve) => {
        reach = resolve;
      });
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      const release = () => {
        holds.delete(standing);
        open();
      };
      const stop = () => {
        reach();
        return opened;
      };
      const standing: Standing = { method, path, when, stop, release };
      holds.add(standing);
      return { reached, release };
    },
    async pass(method, path, when) {
      const found = [...holds].find((one) => one.method === method && one.when === when && one.path.test(path));
      await found?.stop();
    },
    releaseAll() {
      for (const one of [...holds]) one.release();
    },
  };
}
