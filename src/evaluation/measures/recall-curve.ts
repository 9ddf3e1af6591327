/**
 * Recall over the number of files (the paper's section 4.2): at place k - 1 the share of `gold` that is among the first k
 * of `located`, for k from 1 to `most`. A list that is shorter than k keeps its last value. Empty when there is no gold.
 */
export function recallCurve(located: readonly string[], gold: readonly string[], most: number): readonly number[] {
  if (gold.length === 0) return [];
  const wanted = new Set(gold);
  const distinct = [...new Set(located)];
  let found = 0;
  return Array.from({ length: most }, (_, index) => {
    const path = distinct[index];
    if (path !== undefined && wanted.has(path)) found += 1;
    return found / wanted.size;
  });
}
