type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `over` laid over `under`: mappings merge, everything else, lists too, replaces. Both are checked already. */
export function mergeSettings(under: Mapping, over: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isMapping(below) && isMapping(value) ? mergeSettings(below, value) : value;
  }
  return merged;
}
