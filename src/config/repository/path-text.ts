/** A path into the configuration as people write it: `budget.money`, `ignore[2]`, the first item being 1. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step + 1}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}
