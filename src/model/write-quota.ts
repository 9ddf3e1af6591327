/**
 * The state of one installation's write quota: what was written or may be, and what runs have reserved. Plain data, so
 * that a database can keep it for all machines. Times are milliseconds by the keeper's clock.
 */
export interface WriteQuota {
  readonly uses: readonly Use[];
  readonly reservations: readonly Reservation[];
  /** the host wants no creations before */
  readonly refusedUntil: number;
}

/** Writes that were made at the same time, or permits for writes that may still be made until then. */
interface Use {
  /** of permits that can be given back */
  readonly permits?: string;
  readonly at: number;
  readonly count: number;
  readonly creates: boolean;
}

interface Reservation {
  readonly holder: string;
  readonly left: number;
  readonly until: number;
}

export const EMPTY_QUOTA: WriteQuota = { uses: [], reservations: [], refusedUntil: 0 };

/** A limit of the host on writes within `ms` milliseconds. */
export interface WriteLimit {
  readonly of: "creations" | "writes";
  readonly ms: number;
  readonly writes: number;
}

/**
 * GitHub publishes 80 creations a minute and 500 an hour, and 900 points a minute, five for a write; the rest is left
 * for reads and for people.
 */
export const PUBLISHED_LESS_A_RESERVE: readonly WriteLimit[] = [
  { of: "creations", ms: 60_000, writes: 70 },
  { of: "creations", ms: 3_600_000, writes: 450 },
  { of: "writes", ms: 60_000, writes: 140 },
];

/** For a host without limits, such as an Enterprise Server whose operator has set none. */
export const NO_LIMITS: readonly WriteLimit[] = [{ of: "creations", ms: 1, writes: Number.POSITIVE_INFINITY }];

/** How long permits are valid, in milliseconds. They count as used at its end: nobody knows when they are. */
export const PERMIT_MS = 15_000;

/** A reservation that nobody uses or renews for so long is dropped: its machine has died. */
const RESERVED_MS = 20 * 60_000;

/** Others may free their reservations at any time. */
const ASK_AGAIN_MS = 60_000;

/** Times further ahead than any we note: the clock was set back. */
const AHEAD_MS = 2 * 3_600_000;

/** Which permits are asked for, and whose reservation they use. */
export interface Taking {
  readonly creates: boolean;
  readonly wanted: number;
  /** permits to identify, so that unused ones can be given back */
  readonly permits: string;
  /** a run; absent: a single answer or report, which waits for no reservation of others */
  readonly holder?: string | undefined;
}

/** Some of the permits that were asked for, or how long to wait, and for which limit; none: the host has refused. */
export type Taken = { readonly count: number } | { readonly waitMs: number; readonly limit?: WriteLimit | undefined };

/** What a change of a quota gives, and the quota after it. */
export interface Changed<T> {
  readonly quota: WriteQuota;
  readonly gives: T;
}

/** Grants at least one permit, or says how long to wait. */
export function takePermits(
  before: WriteQuota,
  { creates, wanted, permits, holder }: Taking,
  now: number,
  limits: readonly WriteLimit[],
): Changed<Taken> {
  const quota = tidy(before, now, limits);
  if (creates && quota.refusedUntil > now) return { quota, gives: { waitMs: Math.ceil(quota.refusedUntil - now) } };
  const applicable = limits.filter(({ of }) => of === "writes" || creates);
  const longest = applicable.reduce<Wait>((most, limit) => later(most, waitFor(quota, limit, now)), { waitMs: 0 });
  if (longest.waitMs > 0) return { quota, gives: longest };
  const room = Math.min(...applicable.map((limit) => limit.writes - madeWithin(quota, limit, now)));
  const count = Math.min(wanted, creates ? roomFor(quota, holder, room, limits) : room);
  if (count < 1) return { quota, gives: { waitMs: ASK_AGAIN_MS, limit: hourOf(limits) } };
  const use = { permits, at: now + PERMIT_MS, count, creates };
  const used = { ...quota, uses: [...quota.uses, use] };
  return { quota: creates ? drawn(used, holder, count, now) : used, gives: { count } };
}

interface Wait {
  readonly waitMs: number;
  readonly limit?: WriteLimit;
}

const later = (one: Wait, other: Wait) => (other.waitMs > one.waitMs ? other : one);

/** A run draws on its reservation and on what nobody has reserved. */
function roomFor(quota: WriteQuota, holder: string | undefined, room: number, limits: readonly WriteLimit[]): number {
  if (holder === undefined) return room;
  const own = quota.reservations.find((one) => one.holder === holder)?.left ?? 0;
  const hour = hourOf(limits);
  const free = hour.writes - usedIn(quota, hour) - reservedByOthers(quota, holder);
  return Math.min(room, Math.max(own, free));
}

function drawn(quota: WriteQuota, holder: string | undefined, count: number, now: number): WriteQuota {
  const reservations = quota.reservations.map((one) =>
    one.holder === holder ? { holder, left: Math.max(0, one.left - count), until: now + RESERVED_MS } : one,
  );
  return { ...quota, reservations };
}

/** Gives back permits that were not used; the others count as used now. */
export function giveBackPermits(
  before: WriteQuota,
  { permits, unused, holder }: { readonly permits: string; readonly unused: number; readonly holder?: string },
  now: number,
): WriteQuota {
  const given = before.uses.find((one) => one.permits === permits);
  if (given === undefined) return before;
  const { at, count, creates } = given;
  const others = before.uses.filter((one) => one !== given);
  const used = { at: Math.min(at, now), count: count - unused, creates };
  const uses = used.count > 0 ? [...others, used] : others;
  if (!creates || holder === undefined) return { ...before, uses };
  const reservations = before.reservations.map((one) =>
    one.holder === holder ? { ...one, left: one.left + unused } : one,
  );
  return { ...before, uses, reservations };
}

/**
 * Reserves room for `creations` of `holder`, replacing its earlier reservation; 0 frees it. Gives 0, or the
 * milliseconds to wait when there is no room now.
 */
export function reserveRoom(
  before: WriteQuota,
  holder: string,
  creations: number,
  now: number,
  limits: readonly WriteLimit[],
): Changed<number> {
  const tidied = tidy(before, now, limits);
  const quota = { ...tidied, reservations: tidied.reservations.filter((one) => one.holder !== holder) };
  if (creations === 0) return { quota, gives: 0 };
  const waitMs = waitForRoom(quota, creations, now, limits);
  if (waitMs > 0) return { quota, gives: waitMs };
  const own = { holder, left: creations, until: now + RESERVED_MS };
  return { quota: { ...quota, reservations: [...quota.reservations, own] }, gives: 0 };
}

/** Whether a new run could reserve so much. */
export function hasRoomFor(quota: WriteQuota, creations: number, now: number, limits: readonly WriteLimit[]): boolean {
  return waitForRoom(tidy(quota, now, limits), creations, now, limits) === 0;
}

/** The host has refused a creation and wants none for `ms`. */
export function refuseCreations(quota: WriteQuota, ms: number, now: number): WriteQuota {
  return { ...quota, refusedUntil: Math.max(quota.refusedUntil, now + ms) };
}

/** A lone run may reserve whatever it needs: it would wait for ever. */
function waitForRoom(quota: WriteQuota, creations: number, now: number, limits: readonly WriteLimit[]): number {
  if (quota.refusedUntil > now) return Math.ceil(quota.refusedUntil - now);
  const hour = hourOf(limits);
  const taken = usedIn(quota, hour) + reservedByOthers(quota, undefined);
  return taken > 0 && taken + creations > hour.writes ? ASK_AGAIN_MS : 0;
}

const reservedByOthers = ({ reservations }: WriteQuota, holder: string | undefined) =>
  reservations.filter((one) => one.holder !== holder).reduce((sum, { left }) => sum + left, 0);

/** The longest limit of creations. */
const hourOf = (limits: readonly WriteLimit[]) =>
  limits.filter(({ of }) => of === "creations").reduce((most, limit) => (limit.ms > most.ms ? limit : most));

const isCounted = ({ creates }: Use, { of }: WriteLimit) => creates || of === "writes";

/** All that a tidy quota holds within the longest limit. */
const usedIn = ({ uses }: WriteQuota, limit: WriteLimit) =>
  uses.filter((use) => isCounted(use, limit)).reduce((sum, { count }) => sum + count, 0);

function madeWithin({ uses, ...rest }: WriteQuota, limit: WriteLimit, now: number): number {
  return usedIn({ ...rest, uses: uses.filter(({ at }) => at > now - limit.ms) }, limit);
}

/** How long until one more write keeps to the limit. */
function waitFor(quota: WriteQuota, limit: WriteLimit, now: number): Wait {
  let tooMany = madeWithin(quota, limit, now) + 1 - limit.writes;
  if (tooMany <= 0) return { waitMs: 0 };
  const oldestFirst = quota.uses
    .filter((use) => isCounted(use, limit) && use.at > now - limit.ms)
    .sort((one, other) => one.at - other.at);
  let waitMs = 0;
  for (const { at, count } of oldestFirst) {
    if (tooMany <= 0) break;
    tooMany -= count;
    waitMs = Math.ceil(at + limit.ms - now);
  }
  return { waitMs, limit };
}

/** Leaves out what no limit counts any more, and times that only a clock set back can explain. */
function tidy(quota: WriteQuota, now: number, limits: readonly WriteLimit[]): WriteQuota {
  const isRecent = (use: Use) => limits.some((limit) => isCounted(use, limit) && use.at > now - limit.ms);
  return {
    uses: quota.uses.filter((use) => isRecent(use) && use.at < now + AHEAD_MS),
    reservations: quota.reservations.filter(({ until }) => until > now && until < now + AHEAD_MS),
    refusedUntil: quota.refusedUntil < now + AHEAD_MS ? quota.refusedUntil : 0,
  };
}
