import type { Exchange } from "./front/exchange.ts";
import type { Delivery } from "./hooks/create-webhooks.ts";

export interface UntilOptions {
  /** What is waited for, for the error. */
  what?: string;
  /** The limit; a minute by default. */
  ms?: number;
}

/** Resolves with the first value of `condition` that is truthy. */
export type Until = <T>(condition: () => T | Promise<T>, options?: UntilOptions) => Promise<NonNullable<T>>;

const EVERY_MS = 50;
const SHOWN = 25;

/** Waits for conditions by asking again and again; a wait in vain fails with what the world saw last. */
export function createUntil(journal: Exchange[], deliveries: Delivery[]): Until {
  return async (condition, { what = "the condition", ms = 60_000 } = {}) => {
    const end = Date.now() + ms;
    for (;;) {
      const value = await condition();
      if (value) return value as NonNullable<typeof value>;
      if (Date.now() >= end) break;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    const requests = journal
      .slice(-SHOWN)
      .map((one) => `${one.status} ${one.kind} ${one.method} ${one.path} (${one.actor})`);
    const hooks = deliveries.slice(-SHOWN).map((one) => `${one.status ?? "…"} ${one.event}.${one.action ?? ""}`);
    throw new Error([`${what} did not come in ${ms} ms`, "requests:", ...requests, "webhooks:", ...hooks].join("\n  "));
  };
}
