const MAX = 3;

/** Paths that a wrong one may have meant: those of the same file name, the ones that share the most folders first. */
export function nearPaths(path: string, paths: readonly string[]): string[] {
  const parts = path.toLowerCase().split("/");
  const name = parts.at(-1) ?? "";
  const shared = (other: string) => {
    const folders = other.toLowerCase().split("/");
    return parts.filter((part) => folders.includes(part)).length;
  };
  return paths
    .filter((other) => other.toLowerCase().split("/").at(-1) === name)
    .sort((a, b) => shared(b) - shared(a) || (a < b ? -1 : 1))
    .slice(0, MAX);
}
