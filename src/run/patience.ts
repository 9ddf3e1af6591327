import { isMagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { lasting, type Outage, outageOf } from "../data/outage.ts";
import type { Waiting } from "../data/run-state.ts";
import { counted } from "../text/counted.ts";
import type { RunContext } from "./run-context.ts";

/** How long a step waits out an outage. That time does not count against the run. */
export interface Patience {
  graceMs: number;
  /** milliseconds of a steady clock */
  clock: () => number;
}

/** How often a step is repeated when each repeat costs money: answers of the model that broke off. */
const MAX_PAID = 4;

const MS_PER_MINUTE = 60_000;

/** A write limit always lifts, but others may use it up first each time. */
const LIMIT_LIFTS_MS = 24 * 60 * MS_PER_MINUTE;

/**
 * Makes the function that carries out every step of a run. It throws an outage on, so that the step is repeated, while
 * the run's clock stands still and its state says what it waits for. Once the grace is used up, counting what earlier
 * processes waited, it throws the outage as a lasting one, which ends the run.
 */
export function createPatience(
  { graceMs, clock }: Patience,
  open: () => Promise<RunContext>,
  log: Log,
): <T>(work: (run: RunContext) => Promise<T>) => Promise<T> {
  let here: Waiting | undefined;
  /** when this process last saw the outage */
  let seen: number | undefined;
  let paid = 0;

  return async (work) => {
    let run: RunContext | undefined;
    try {
      run = await open();
      run.spending.goOn();
      const output = await work(run);
      here = undefined;
      seen = undefined;
      if (run.tracker.state().waiting) await run.tracker.wait(undefined);
      return output;
    } catch (error) {
      const outage = outageOf(error);
      if (!outage || !isMagisError(error)) throw error;
      if (outage.paid) paid++;
      run?.spending.standStill();
      const kept = run?.tracker.state().waiting;
      const known = kept && kept.waited > (here?.waited ?? -1) ? kept : here;
      const now = clock();
      const waited = (known?.waited ?? 0) + (seen === undefined ? 0 : now - seen);
      seen = now;
      here = { for: outage.of, since: known?.since ?? new Date().toISOString(), waited };
      const grace = outage.of === "writes" ? Math.max(graceMs, LIMIT_LIFTS_MS) : graceMs;
      if (waited >= grace || paid > MAX_PAID) throw lasting(error, sentence(waited, outage));
      // Not awaited: the host that should show it may be the one that is down.
      run?.tracker
        .wait(here)
        .catch((fault: unknown) => log.warn({ error: fault }, "could not store what the run waits for"));
      throw error;
    }
  };
}

function sentence(waited: number, { of }: Outage): string {
  const minutes = Math.round(waited / MS_PER_MINUTE);
  if (minutes < 1) return "";
  return of === "writes"
    ? ` I waited ${counted(minutes, "minute")} for the limit to lift.`
    : ` I tried again for ${counted(minutes, "minute")}.`;
}
