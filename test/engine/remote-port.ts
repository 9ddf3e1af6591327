import { MagisError, type MagisErrorCode } from "../../src/model/error.ts";

/** A worker's call of a port that its parent holds. */
export interface PortCall {
  readonly call: number;
  readonly port: string;
  readonly method: string;
  readonly given: readonly unknown[];
}

/** The parent's answer. */
export interface PortAnswer {
  readonly answered: number;
  readonly value?: unknown;
  readonly error?: { readonly code?: string; readonly message: string; readonly data?: Record<string, unknown> };
}

const waiting = new Map<number, (answer: PortAnswer) => void>();
let calls = 0;

process.on("message", (message: PortAnswer) => waiting.get(message.answered)?.(message));

function ask(port: string, method: string, given: readonly unknown[]): Promise<unknown> {
  const call = ++calls;
  // Signals and functions stay on this side: the parent's ports are quick.
  const plain = given.filter((one) => typeof one !== "function" && !(one instanceof AbortSignal));
  return new Promise((resolve, reject) => {
    waiting.set(call, ({ value, error }) => {
      waiting.delete(call);
      if (error === undefined) return resolve(value);
      const { code, message, data = {} } = error;
      reject(code === undefined ? new Error(message) : new MagisError(code as MagisErrorCode, message, data));
    });
    process.send?.({ call, port, method, given: plain } satisfies PortCall);
  });
}

/**
 * In a worker: a port that its parent holds and that outlives it, as GitHub does. `facts` are the members that are no
 * methods; `undefined` marks one that is absent.
 */
export function remotePort<T extends object>(port: string, facts: { [K in keyof T]?: T[K] | undefined } = {}): T {
  return new Proxy(facts as T, {
    get: (target, name) => {
      if (name in target || name === "then" || typeof name !== "string") return Reflect.get(target, name);
      return (...given: unknown[]) => ask(port, name, given);
    },
  });
}
