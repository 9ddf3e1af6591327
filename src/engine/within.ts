/**
 * Waits for `work`, but no longer than `ms` milliseconds; then `onLate` gives the answer (or throws). The work itself
 * goes on; what comes of it later is ignored.
 */
export async function within<T>(ms: number, work: Promise<T>, onLate: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  work.catch(() => undefined);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late]);
    return first === "late" ? onLate() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
