import type { Exchange } from "./front/exchange.ts";
import type { Delivery } from "./hooks/create-webhooks.ts";

export interface UntilOptions {
  /** What is waited for, for the error. */
  what?: string;
  /** The limit; 100 s by default, since a busy machine may be twenty times as slow. */
  ms?: number;
}

/** Resolves with the first value of `condition` that is truthy. */
export type Until = <T>(condition: () => T | Promise<T>, options?: UntilOptions) => Promise<NonNullable<T>>;

const EVERY_MS = 150;
/** After a while, so that a wait for a real model does not use up the requests that emulate allows in an hour. */
const PATIENT = { after: 20_000, everyMs: 1_000 };
const SHOWN = 25;

/** Waits for conditions by asking again and again; a wait in vain fails with what the world saw last. */
export function createUntil(journal: Exchange[], deliveries: Delivery[]): Until {
  return async (condition, { what = "the condition", ms = 100_000 } = {}) => {
    const began = Date.now();
    for (;;) {
      const value = await condition();
      if (value) return value as NonNullable<typeof value>;
      const waited = Date.now() - began;
      if (waited >= ms) break;
      const pause = waited < PATIENT.after ? EVERY_MS : PATIENT.everyMs;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    const requests = journal
      .slice(-SHOWN)
      .map((one) => `${one.status} ${one.kind} ${one.method} ${one.path} (${one.actor})`);
    const hooks = deliveries.slice(-SHOWN).map((one) => `${one.status ?? "…"} ${one.event}.${one.action ?? ""}`);
    throw new Error([`${what} did not come in ${ms} ms`, "requests:", ...requests, "webhooks:", ...hooks].join("\n  "));
  };
}
