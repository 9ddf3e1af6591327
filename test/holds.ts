/** Something that waits. */
export interface Hold<T> {
  /** what waits first */
  reached: Promise<T>;
  /** Releases it, and what comes later. */
  release(): void;
}

/** Decides what waits, and until when. */
export interface Holds<T> {
  add(matches: (one: T) => boolean): Hold<T>;
  /** Resolves when no hold stops `one` any more. */
  pass(one: T): Promise<void>;
  releaseAll(): void;
}

export function createHolds<T>(): Holds<T> {
  const holds = new Set<{ matches(one: T): boolean; reach(one: T): void; opened: Promise<void>; release(): void }>();
  return {
    add(matches) {
      const [first, end] = [deferred<T>(), deferred<void>()];
      const release = () => {
        holds.delete(hold);
        end.resolve();
      };
      const hold = { matches, reach: first.resolve, opened: end.promise, release };
      holds.add(hold);
      return { reached: first.promise, release };
    },
    async pass(one) {
      const waiting = [...holds].filter((hold) => hold.matches(one));
      for (const hold of waiting) hold.reach(one);
      await Promise.all(waiting.map(({ opened }) => opened));
    },
    releaseAll() {
      for (const hold of [...holds]) hold.release();
    },
  };
}

function deferred<T>() {
  let resolve = (_value: T): void => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (value: T) => resolve(value) };
}
