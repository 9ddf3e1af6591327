/** A promise that never settles: what waits for it is left behind, unfinished, and goes with the process. */
export function suspended<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
