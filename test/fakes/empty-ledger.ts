import type { Ledger } from "../../src/queue/ledger-port.ts";

/** A ledger in which no run is entered. */
export const EMPTY_LEDGER: Ledger = {
  costs: async () => [],
  stats: async () => ({
    outcomes: [],
    running: { runs: 0, setAside: 0 },
    pulls: { open: 0, merged: 0, reverted: 0, closed: 0 },
    proofs: { proved: 0, unproved: 0 },
    linesKnown: 0,
    medians: {},
  }),
  forget: async () => 0,
  forgetPerson: async () => 0,
  emptyForgotten: async () => undefined,
};
