const RANK: Readonly<Record<string, number>> = { read: 1, write: 2, admin: 3 };
const rank = (level: string | undefined) => RANK[level ?? ""] ?? 0;

/** What of `needed` is not among `granted` or at a lower level, each as `checks: write`. */
export function missingPermissions(
  needed: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(needed)
    .filter(([name, level]) => rank(granted[name]) < rank(level))
    .map(([name, level]) => `${name}: ${level}`);
}
