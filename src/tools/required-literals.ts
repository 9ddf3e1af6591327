const MIN_LENGTH = 2;
/** Escapes that stand for themselves or for a class of characters, and take nothing of what follows. */
const CLASS = /[bBdDwWsSAznrtfv]/;

/**
 * Texts of which a line must hold one for `pattern` to match it: the longest of each alternative. undefined when there
 * is an alternative without any, or something in the pattern that is not understood here. Never claims too much: a
 * line without them cannot match.
 */
export function requiredLiterals(pattern: string): string[] | undefined {
  if (/\(\?[a-zA-Z-]*[:)]|\\[^\W\dbBdDwWsSAznrtfv_]|\\\d/.test(pattern.replaceAll("(?:", "("))) return undefined;
  const literals: string[] = [];
  let runs: string[] = [""];
  const close = () => {
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
    runs = [""];
    literals.push(longest);
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    if (char === "|") close();
    else if (char === "(" || char === "[") {
      at = char === "(" ? endOfGroup(pattern, at) : endOfClass(pattern, at);
      runs.push("");
    } else if (/[*?{]/.test(char)) {
      // What stands before may be absent: it is not required.
      runs[runs.length - 1] = (runs.at(-1) as string).replace(/.$/su, "");
      runs.push("");
      if (char === "{") at = Math.max(at, pattern.indexOf("}", at));
    } else if (/[+.^$]/.test(char)) runs.push("");
    else if (char !== "\\") runs[runs.length - 1] += char;
    else if (CLASS.test(pattern[++at] ?? "")) runs.push("");
    else runs[runs.length - 1] += pattern[at] ?? "";
  }
  close();
  return literals.every((literal) => literal.length >= MIN_LENGTH) ? literals : undefined;
}

function endOfClass(pattern: string, from: number): number {
  let at = from + 1;
  if (pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length && pattern[at] !== "]"; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[" && pattern[at + 1] === ":") at = Math.max(at, pattern.indexOf(":]", at) + 1);
  }
  return at;
}

function endOfGroup(pattern: string, from: number): number {
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "[") at = endOfClass(pattern, at);
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return pattern.length;
}
