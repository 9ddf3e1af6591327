import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { MagisError } from "../../model/error.ts";
import { PERMIT_MS, type WriteLimit } from "../../model/write-quota.ts";
import type { WriteAccount } from "../../ports/write-account.ts";

/** Lets an installation's writes begin in the order in which they are asked for, within the host's limits. */
export interface WritePacer {
  /**
   * @param creates it creates content, which GitHub limits more strictly than changes
   * @param holder the run whose reservation it uses, if any
   */
  pace<T>(write: () => Promise<T>, creates: boolean, holder?: string): Promise<T>;
  /**
   * Reserves quota for `creations` of a run within the hour, replacing its earlier reservation. Gives 0, or the
   * milliseconds to wait before asking again when there is no room now.
   */
  reserve(holder: string, creations: number): Promise<number>;
  /** Called when the host refuses a creation and wants none for `ms`. */
  refused(ms: number): Promise<void>;
}

/** Permits to take at once, at most. */
const MOST = 16;

/** Permits of one kind and holder that this process has taken. */
interface Held {
  readonly permits: string;
  /** how many they were */
  readonly size: number;
  readonly until: number;
  readonly creates: boolean;
  readonly holder: string | undefined;
  left: number;
}

/**
 * Counts writes in sliding windows instead of spacing them evenly: a run's writes come in bursts, far below the limits,
 * and a fixed second between them would only delay it. The account is asked for one permit, then for twice as many
 * while a burst lasts, so that it is not asked for each write.
 * @param maxWaitSeconds a write that has to wait longer throws HOST_UNREACHABLE, with `data.writes` and
 * `data.retryAfterMs`
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api (secondary rate limits)
 */
export function createWritePacer(maxWaitSeconds: number, account: WriteAccount): WritePacer {
  const held = new Map<string, Held>();
  const inTurn = pLimit(1);

  const giveBack = async (key: string, holder: string | undefined): Promise<void> => {
    const { permits, left } = held.get(key) ?? {};
    held.delete(key);
    if (permits !== undefined && left !== undefined && left > 0)
      await account.giveBack({ permits, unused: left, holder });
  };

  const admit = async (creates: boolean, holder: string | undefined): Promise<void> => {
    const key = keyOf(creates, holder);
    const before = held.get(key);
    const began = performance.now();
    if (before && before.left > 0 && began < before.until) {
      before.left -= 1;
      return;
    }
    await giveBack(key, holder);
    const isBurst = before !== undefined && began < before.until;
    const wanted = isBurst ? Math.min(2 * before.size, MOST) : 1;
    for (;;) {
      const asked = performance.now();
      const permits = randomUUID();
      const taken = await account.take({ creates, wanted, permits, holder });
      if ("count" in taken) {
        const until = asked + PERMIT_MS;
        held.set(key, { permits, size: taken.count, until, creates, holder, left: taken.count - 1 });
        // A database that was away has outlasted them; they count as used.
        if (performance.now() < until) return;
        continue;
      }
      if (performance.now() + taken.waitMs > began + maxWaitSeconds * 1000) throw noRoom(taken);
      await wait(taken.waitMs);
    }
  };

  return {
    async pace(write, creates, holder) {
      await inTurn(admit, creates, holder);
      return write();
    },
    async reserve(holder, creations) {
      for (const creates of [true, false]) await giveBack(keyOf(creates, holder), holder);
      return account.reserve(holder, creations);
    },
    async refused(ms) {
      await account.refused(ms);
      // Permits in hand must not outlive the refusal.
      for (const [key, { creates, holder }] of [...held]) if (creates) await giveBack(key, holder);
    },
  };
}

const keyOf = (creates: boolean, holder = "") => `${creates} ${holder}`;

/** The error HOST_UNREACHABLE for a limit of the host that is reached for as long as `waitMs` says. */
function noRoom({ waitMs, limit }: { readonly waitMs: number; readonly limit?: WriteLimit | undefined }): MagisError {
  const what = limit?.of === "writes" ? "changes" : "comments and the like";
  const message = `GitHub takes no more ${what} from this app for now: ${limitOf(limit)}.`;
  return new MagisError("HOST_UNREACHABLE", message, { writes: true, retryAfterMs: Math.ceil(waitMs) });
}

function limitOf(limit: WriteLimit | undefined): string {
  if (limit === undefined) return "it has asked to be left alone for a while";
  return `its limit for ${limit.ms > 60_000 ? "an hour" : "a minute"} is reached`;
}
