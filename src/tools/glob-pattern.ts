/**
 * The regular expression (RE2) of a glob: `*` and `?` within a folder, `**` across folders, `{a,b}`; everything else
 * is itself. A glob without a slash is of names in any folder; one of a folder (`src/*`) takes what is below, too.
 */
export function globPattern(glob: string): string {
  const parts = glob.match(/\*\*\/|\*+|\?|[{},]|[^*?{},]+/g) ?? [];
  let depth = 0;
  const body = parts.map((part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part.startsWith("*")) return part.length > 1 ? ".*" : "[^/]*";
    if (part === "?") return "[^/]";
    if (part === "{") depth += 1;
    if (part === "{") return "(?:";
    if (part === "}" && depth > 0) return [")", depth--][0];
    if (part === "," && depth > 0) return "|";
    return part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return `${glob.includes("/") ? "" : "(?:.*/)?"}${body.join("")}${")".repeat(depth)}(?:/.*)?`;
}
