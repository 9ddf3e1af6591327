/** A name with no letter, digit or underscore right beside it. It is escaped: nothing of it is a pattern. */
export function wordPattern(name: string, flags: string): RegExp {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, `${flags}u`);
}
