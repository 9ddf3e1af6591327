import type { Taken, Taking } from "../model/write-quota.ts";

/** The quota of creations and other writes that the host grants to one installation, for all who write for it. */
export interface WriteAccount {
  /** Takes permits, each for one write, which has to begin within `PERMIT_MS` from now. */
  take(taking: Taking): Promise<Taken>;
  /** Gives back permits of one `take` that were not used. */
  giveBack(unused: UnusedPermits): Promise<void>;
  /** Reserves room for a run, `holder`: see `reserveRoom`. Gives 0, or the milliseconds to wait. */
  reserve(holder: string, creations: number): Promise<number>;
  /** Called when the host refuses a creation and wants none for `ms`. */
  refused(ms: number): Promise<void>;
}

export interface UnusedPermits {
  readonly permits: string;
  readonly unused: number;
  readonly holder?: string;
}

/** The accounts of all installations, shared by all machines on one database. */
export interface WriteAccounts {
  of(installation: number): WriteAccount;
  /** The installations that have no room for so many creations now. */
  atLimit(creations: number): Promise<readonly number[]>;
}
