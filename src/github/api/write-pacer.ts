import { setTimeout as wait } from "node:timers/promises";
import { MagisError } from "../../model/error.ts";

/** Makes an installation's writes one after the other, within the host's limits, and reserves quota for runs. */
export interface WritePacer {
  /**
   * @param creates it creates content, which GitHub limits more strictly than changes
   * @param writer whose reservation it uses, if any
   */
  pace<T>(write: () => Promise<T>, creates: boolean, writer?: object): Promise<T>;
  /**
   * Reserves quota for `creations` of `writer` within the hour, replacing its earlier reservation. Gives 0, or the
   * milliseconds to wait before asking again when there is no room now.
   */
  reserve(writer: object, creations: number): number;
  /** Whether a new writer could reserve so much. */
  hasRoom(creations: number): boolean;
  /** Called when the host refuses a creation and wants none for `ms`. */
  refused(ms: number): void;
}

interface Window {
  readonly of: "creations" | "writes";
  readonly ms: number;
  readonly writes: number;
}

/**
 * GitHub publishes 80 creations a minute and 500 an hour, and 900 points a minute, five for a write; the rest is left
 * for reads, for people and for a restarted process.
 */
const PUBLISHED_LESS_A_RESERVE: readonly Window[] = [
  { of: "creations", ms: 60_000, writes: 70 },
  { of: "creations", ms: 3_600_000, writes: 450 },
  { of: "writes", ms: 60_000, writes: 140 },
];

/** For a host without limits, such as an Enterprise Server whose operator has set none. */
export const NO_LIMITS: readonly Window[] = [{ of: "creations", ms: 1, writes: Number.POSITIVE_INFINITY }];

/** Others may free their reservations at any time. */
const ASK_AGAIN_MS = 60_000;

/** A reservation without writes for so long is dropped. */
const FORGOTTEN_MS = 3_600_000;

interface Held {
  left: number;
  until: number;
}

/**
 * Counts writes in sliding windows instead of spacing them evenly: a run's 25 or so writes come in bursts, far below
 * the limits, and a fixed second between them would only delay it.
 * @param maxWaitSeconds a write that has to wait longer throws HOST_UNREACHABLE, with `data.writes` and
 * `data.retryAfterMs`
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api (secondary rate limits)
 */
export function createWritePacer(maxWaitSeconds: number, windows = PUBLISHED_LESS_A_RESERVE): WritePacer {
  const longest = windows.reduce((most, window) => (window.ms > most.ms ? window : most));
  const held = new Map<object, Held>();
  let starts: { readonly at: number; readonly creates: boolean }[] = [];
  let refusedUntil = 0;
  let last: Promise<unknown> = Promise.resolve();

  const drop = (now: number): void => {
    starts = starts.filter(({ at }) => at > now - longest.ms);
    for (const [writer, { until }] of held) if (until < now) held.delete(writer);
  };

  const admit = async (creates: boolean, writer: object | undefined): Promise<void> => {
    const now = performance.now();
    drop(now);
    const delays = windows
      .filter(({ of }) => of === "writes" || creates)
      .map((window): Delay => {
        const counted = starts.filter((start) => window.of === "writes" || start.creates);
        const earliest = counted.at(-window.writes)?.at ?? Number.NEGATIVE_INFINITY;
        return { ms: earliest + window.ms - now, window };
      });
    if (creates) delays.push({ ms: refusedUntil - now });
    const delay = delays.reduce((longest, one) => (one.ms > longest.ms ? one : longest), { ms: 0 });
    if (delay.ms > maxWaitSeconds * 1000) throw noRoom(delay);
    if (delay.ms > 0) await wait(delay.ms);
    starts.push({ at: performance.now(), creates });
    const own = writer && creates ? held.get(writer) : undefined;
    if (own) own.left = Math.max(0, own.left - 1);
  };

  /** Gives 0, or the milliseconds after which there may be room. */
  const waitForRoom = (creations: number): number => {
    const now = performance.now();
    drop(now);
    if (refusedUntil > now) return Math.ceil(refusedUntil - now);
    const others = [...held.values()].reduce((sum, { left }) => sum + left, 0);
    const made = starts.filter((start) => start.creates).length;
    return made + others > 0 && made + others + creations > longest.writes ? ASK_AGAIN_MS : 0;
  };

  return {
    pace(write, creates, writer) {
      const turn = last.then(() => admit(creates, writer)).then(write);
      last = turn.catch(() => undefined);
      return turn;
    },
    reserve(writer, creations) {
      held.delete(writer);
      if (creations === 0) return 0;
      const wait = waitForRoom(creations);
      if (wait === 0) held.set(writer, { left: creations, until: performance.now() + FORGOTTEN_MS });
      return wait;
    },
    hasRoom: (creations) => waitForRoom(creations) === 0,
    refused(ms) {
      refusedUntil = Math.max(refusedUntil, performance.now() + ms);
    },
  };
}

/** How long a write has to wait, and for which window; none when the host itself refused. */
interface Delay {
  readonly ms: number;
  readonly window?: Window;
}

/** The error HOST_UNREACHABLE for a limit of the host that is reached for as long as `delay` says. */
function noRoom({ ms, window }: Delay): MagisError {
  const what = window?.of === "writes" ? "changes" : "comments and the like";
  const message = `GitHub takes no more ${what} from this app for now: ${limitOf(window)}.`;
  return new MagisError("HOST_UNREACHABLE", message, { writes: true, retryAfterMs: Math.ceil(ms) });
}

function limitOf(window: Window | undefined): string {
  if (window === undefined) return "it has asked to be left alone for a while";
  return `its limit for ${window.ms > 60_000 ? "an hour" : "a minute"} is reached`;
}
