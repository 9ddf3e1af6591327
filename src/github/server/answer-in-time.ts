/** What `work` gives, or what `late` gives when `work` takes longer than `limit` milliseconds. */
export async function answerInTime<T>(work: Promise<T>, limit: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), limit);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
