import { GROUP_RULES } from "../search/path-rules.ts";

/** Program text first, then tests, documents and the rest, both in the order given: what is cut is then what says less. */
export function sourceFirst<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const rest: T[] = [];
  const source = files.filter((file) => {
    const path = file.path.toLowerCase();
    const isSource = GROUP_RULES.find(({ pattern }) => pattern.test(path))?.kind === "source";
    if (!isSource) rest.push(file);
    return isSource;
  });
  return [...source, ...rest];
}
