import { createHolds, type Hold } from "../../holds.ts";

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

export interface HeldRequest {
  method: string;
  path: string;
  when: "before" | "after";
}

export interface Faults {
  fault(fault: Fault): void;
  /** Answers nobody until the returned function is called. */
  outage(): () => void;
  hold(options: HoldOptions): Hold<HeldRequest>;
  take(method: string, path: string): Fault | undefined;
  pass(method: string, path: string, when: "before" | "after"): Promise<void>;
  releaseAll(): void;
}

/** Keeps ordered faults and held requests. */
export function createFaults(): Faults {
  const faults: (Fault & { left: number })[] = [];
  const holds = createHolds<HeldRequest>();
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
    hold: ({ method, path, when = "before" }) =>
      holds.add((one) => one.method === method && one.when === when && path.test(one.path)),
    pass: (method, path, when) => holds.pass({ method, path, when }),
    releaseAll: () => holds.releaseAll(),
  };
}
