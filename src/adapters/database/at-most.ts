/**
 * Waits for `work`, but no longer than `ms` milliseconds; a failure is none. For a clean end that is tried, not waited
 * for: everything committed is safe already.
 */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
