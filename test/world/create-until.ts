import type { Exchange } from "./front/exchange.ts";
import type { Delivery } from "./hooks/create-webhooks.ts";

export interface UntilOptions {
  /** Names the condition in the error. */
  what?: string;
  /** The limit; 200 s by default, since a busy machine may be twenty times as slow. */
  ms?: number;
}

/** Resolves with the first truthy value of `condition`. */
export type Until = <T>(condition: () => T | Promise<T>, options?: UntilOptions) => Promise<NonNullable<T>>;

/** Check a cheap condition every LOOK_MS; ask the world every ASK_MS if there is news, else every ASK_ANYWAY_MS. */
const LOOK_MS = 25;
const ASK_MS = 150;
const ASK_ANYWAY_MS = 1_000;
/** Ask less often after a while: waiting for a real model must not use up emulate's hourly rate limit. */
const PATIENT = { after: 20_000, askMs: 1_000 };
const SHOWN = 25;

/** Waits for conditions, and checks them again after news; a timeout reports the world's latest events. */
export function createUntil(journal: Exchange[], deliveries: Delivery[]): Until {
  const news = () => journal.length + deliveries.length;
  return async (condition, { what = "the condition", ms = 200_000 } = {}) => {
    const began = Date.now();
    while (Date.now() - began < ms) {
      const [asked, known] = [Date.now(), news()];
      const answer = condition();
      const value = await answer;
      if (value) return value as NonNullable<typeof value>;
      const askMs = Date.now() - began < PATIENT.after ? ASK_MS : PATIENT.askMs;
      do await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      while (
        answer instanceof Promise &&
        Date.now() - asked < (news() === known ? Math.max(ASK_ANYWAY_MS, askMs) : askMs)
      );
    }
    const requests = journal
      .slice(-SHOWN)
      .map((one) => `${one.status} ${one.kind} ${one.method} ${one.path} (${one.actor})`);
    const hooks = deliveries.slice(-SHOWN).map((one) => `${one.status ?? "…"} ${one.event}.${one.action ?? ""}`);
    throw new Error([`${what} did not come in ${ms} ms`, "requests:", ...requests, "webhooks:", ...hooks].join("\n  "));
  };
}
