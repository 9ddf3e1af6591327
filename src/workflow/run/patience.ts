import { isMagisError } from "../../model/error.ts";
import { lasting, type Outage, outageOf } from "../../model/outage.ts";
import type { Waiting } from "../../model/run-state.ts";
import type { Log } from "../../ports/log.ts";
import type { RunTools } from "./run-tools.ts";

/** How long a run waits in one of its steps for what is away; the time is not the run's. */
export interface Patience {
  readonly graceMs: number;
  /** milliseconds of a clock that nobody sets */
  readonly clock: () => number;
}

/** How often a step is done again when doing it again costs money: answers of the model that broke off. */
const MAX_PAID = 4;

const MS_PER_MINUTE = 60_000;

/** A limit of writes lifts for certain, but others may be before us each time. */
const LIMIT_LIFTS_MS = 24 * 60 * MS_PER_MINUTE;

/**
 * Makes what all steps of a run are done by: an outage goes out to whoever does steps again, with the run's clock
 * standing still and its state saying what it waits for; once the grace is over, what earlier
 * processes have waited included, it goes out as one that lasts, and ends the run.
 */
export function createPatience(
  { graceMs, clock }: Patience,
  open: () => Promise<RunTools>,
  log: Log,
): <T>(work: (tools: RunTools) => Promise<T>) => Promise<T> {
  let here: Waiting | undefined;
  /** when this process has seen the outage last */
  let seen: number | undefined;
  let paid = 0;

  return async (work) => {
    let tools: RunTools | undefined;
    try {
      tools = await open();
      tools.clock.goOn();
      const output = await work(tools);
      here = undefined;
      seen = undefined;
      if (tools.tracker.state().waiting) await tools.tracker.wait(undefined);
      return output;
    } catch (error) {
      const outage = outageOf(error);
      if (!outage || !isMagisError(error)) throw error;
      if (outage.paid) paid++;
      tools?.clock.standStill();
      const kept = tools?.tracker.state().waiting;
      const known = kept && kept.waited > (here?.waited ?? -1) ? kept : here;
      const now = clock();
      const waited = (known?.waited ?? 0) + (seen === undefined ? 0 : now - seen);
      seen = now;
      here = { for: outage.of, since: known?.since ?? new Date().toISOString(), waited };
      const grace = outage.of === "writes" ? Math.max(graceMs, LIMIT_LIFTS_MS) : graceMs;
      if (waited >= grace || paid > MAX_PAID) throw lasting(error, sentence(waited, outage));
      // Told beside the work: a host that is away must not be waited for here too.
      tools?.tracker
        .wait(here)
        .catch((fault: unknown) => log.warn({ error: fault }, "what is waited for was not kept"));
      throw error;
    }
  };
}

function sentence(waited: number, { of }: Outage): string {
  const minutes = Math.round(waited / MS_PER_MINUTE);
  if (minutes < 1) return "";
  return of === "writes"
    ? ` I waited ${minutes} minutes for the limit to lift.`
    : ` I tried again for ${minutes} minutes.`;
}
