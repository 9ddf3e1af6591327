import type { Instance } from "./instance.ts";

/**
 * The instances that `filter` names, in their order, `limit` at most. `filter` is a list of ids and globs separated by
 * commas; `*` and `?` stand for any letters and for one.
 */
export function selectInstances(
  instances: readonly Instance[],
  { filter, limit }: { readonly filter?: string | undefined; readonly limit?: number | undefined },
): readonly Instance[] {
  const globs = filter?.split(",").map((glob) => toExpression(glob.trim()));
  return instances.filter(({ id }) => globs?.some((glob) => glob.test(id)) ?? true).slice(0, limit);
}

function toExpression(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`);
}
