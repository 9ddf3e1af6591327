import {
  EMPTY_QUOTA,
  giveBackPermits,
  hasRoomFor,
  PUBLISHED_LESS_A_RESERVE,
  refuseCreations,
  reserveRoom,
  takePermits,
  type WriteQuota,
} from "../../model/write-quota.ts";
import type { WriteAccounts } from "../../ports/write-account.ts";

/** Accounts of this process alone, for commands without a database and hosts without limits. */
export function createMemoryAccounts(limits = PUBLISHED_LESS_A_RESERVE): WriteAccounts {
  const quotas = new Map<number, WriteQuota>();
  const now = () => performance.now();
  return {
    of(installation) {
      const quota = () => quotas.get(installation) ?? EMPTY_QUOTA;
      const keep = (changed: WriteQuota) => void quotas.set(installation, changed);
      return {
        async take(taking) {
          const taken = takePermits(quota(), taking, now(), limits);
          keep(taken.quota);
          return taken.gives;
        },
        async giveBack(unused) {
          keep(giveBackPermits(quota(), unused, now()));
        },
        async reserve(holder, creations) {
          const reserved = reserveRoom(quota(), holder, creations, now(), limits);
          keep(reserved.quota);
          return reserved.gives;
        },
        async refused(ms) {
          keep(refuseCreations(quota(), ms, now()));
        },
      };
    },
    async atLimit(creations) {
      return [...quotas].flatMap(([id, quota]) => (hasRoomFor(quota, creations, now(), limits) ? [] : [id]));
    },
  };
}
