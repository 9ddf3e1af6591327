/** The files that declare one name, and what each file imports. */
interface SameName {
  /** those whose uses are wanted */
  readonly own: ReadonlySet<string>;
  readonly others: readonly string[];
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Tells for each of `paths` which declaration it means by the name. An import decides, and without any the folder;
 * "unclear" where neither does. Others that belong to `own`, such as an interface and its implementation, count as own.
 */
export function whichMeant(
  paths: readonly string[],
  { own, others, imports }: SameName,
): ReadonlyMap<string, "own" | "other" | "unclear"> {
  const importsAny = (path: string, of: Iterable<string>) => [...of].some((one) => imports.get(path)?.has(one));
  const isNear = (path: string, to: Iterable<string>) => [...to].some((one) => folderOf(one) === folderOf(path));
  const isRelated = (path: string) =>
    isNear(path, own) || importsAny(path, own) || [...own].some((one) => importsAny(one, [path]));
  const related = others.filter(isRelated);
  const unrelated = others.filter((path) => !related.includes(path));
  return new Map(paths.map((path) => [path, meantIn(path)]));

  function meantIn(path: string) {
    if (own.has(path)) return "own";
    if (unrelated.includes(path)) return "other";
    const importsOwn = importsAny(path, own);
    const isNearer = isNear(path, unrelated) && !isNear(path, own);
    if (!importsOwn && (importsAny(path, unrelated) || isNearer)) return "other";
    if (related.includes(path)) return "own";
    return importsOwn && !importsAny(path, others) ? "own" : "unclear";
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
